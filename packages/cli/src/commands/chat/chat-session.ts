import type { Trace } from '@loopfuse/agent';
import { createOutputs, type Item } from '@loopfuse/conversation';
import type { Key } from '../../terminal/keys/key.js';
import type { Agent, Kept } from './open-agent.js';
import { type Action, type ChatState, type Dialog, startState } from './screen/state.js';
import { createDesk } from './session/desk.js';
import { createPerformers, type Performers, showResumed } from './session/performers.js';
import { createQuestions } from './session/questions.js';
import { createShown, type Shown } from './session/shown.js';
import { createWork } from './session/work.js';
import { type Page, plainPage } from './view/page.js';

/** A conversation at a terminal: keys go in, states come out. Knows nothing of how it is drawn. */
export interface Chat {
  readonly state: ChatState;
  /** Hears that the state has changed: at once for keys, a few times a second for what streams. */
  readonly subscribe: (listener: () => void) => () => void;
  press(key: Key): void;
  /** Cancels what is going on, waits until it is saved, and leaves. */
  quit(): void;
  /** The session, once there is something in it. */
  readonly sessionId: string | undefined;
  /** Resolves when the person has left and nothing is going on any more. */
  readonly left: Promise<void>;
}

export interface ChatOptions {
  readonly agent: Agent;
  /** Goes on with this one. */
  readonly kept?: Kept | undefined;
  /** What stands at the top. */
  readonly greeting?: readonly Item[];
  /** Hears what the agent does; a new one for each session. */
  readonly trace?: () => Trace | undefined;
  /** The terminal as it is now, for what is laid out once. */
  readonly page?: () => Page;
  /** In milliseconds. */
  readonly now?: () => number;
}

/** A dialog that opens under the fingers of somebody who types takes no letters until so long after the last one. */
const calm = 700;

/** The key that has sent a message or answered a dialog, and when it was pressed last. */
interface Ended {
  readonly by: Key;
  readonly at: number;
}

export function startChat(options: ChatOptions): Chat {
  const { agent, kept, greeting = [], trace = () => undefined, page = plainPage, now = Date.now } = options;
  let leave = () => {};
  const left = new Promise<void>((resolve) => {
    leave = resolve;
  });
  // What is shown asks for actions, and what is done for them is shown: both are called only when both are there.
  const questions = createQuestions((input) => shown.dispatch(input));
  const desk = createDesk({ agent, kept, approve: questions.ask, trace });
  const shown: Shown = createShown(startState(desk.facts, desk.known, greeting), (action) =>
    perform(performers, action),
  );
  const outputs = createOutputs();
  const work = createWork(shown, outputs.observe);
  const performers: Performers = createPerformers({ agent, desk, shown, work, questions, outputs, page, leave });
  if (kept !== undefined) showResumed({ desk, shown }, kept);
  return {
    get state() {
      return shown.state;
    },
    subscribe: shown.subscribe,
    press: pressing(shown, now),
    quit: () => performers.quit({ type: 'quit' }),
    get sessionId() {
      const { client } = desk;
      return client.history.length === 0 ? undefined : client.sessionId;
    },
    left,
  };
}

function perform(performers: Performers, action: Action): void {
  (performers[action.type] as (one: Action) => void)(action);
}

/** Hands keys on, except letters that were meant for the text and hit a dialog, and the second press of a double one. */
function pressing(shown: Shown, now: () => number): (key: Key) => void {
  let typedAt = Number.NEGATIVE_INFINITY;
  let ended: Ended | undefined;
  return (key) => {
    const { dialog } = shown.state;
    const isLetter = key.type === 'text' || key.type === 'enter';
    if (dialog !== undefined && isLetter && now() - typedAt < calm) {
      typedAt = now();
      return;
    }
    if (dialog !== undefined && ended !== undefined && isSecondPress(key, ended, now())) {
      ended = { ...ended, at: now() };
      return;
    }
    shown.dispatch({ type: 'key', key });
    const hasEnded = dialog === undefined ? key.type === 'enter' : isLetter && !isSame(dialog, shown.state.dialog);
    ended = hasEnded ? { by: key, at: now() } : undefined;
    // A letter that a dialog has no use for begins a sentence: its other letters, and Enter at its end, are no answer.
    const isTyping =
      dialog === undefined
        ? isLetter && shown.state.editor.text !== ''
        : key.type === 'text' && shown.state.dialog === dialog;
    typedAt = isTyping ? now() : Number.NEGATIVE_INFINITY;
  };
}

/** Pressed again at once, or held, a key that has answered one question is no answer to the next, nor is Enter after a letter. */
function isSecondPress(key: Key, { by, at }: Ended, now: number): boolean {
  const isAgain = key.type === 'text' ? by.type === 'text' && by.text === key.text : key.type === 'enter';
  return isAgain && now - at < calm;
}

function isSame(before: Dialog, now: Dialog | undefined): boolean {
  if (before.type === 'approval' && now?.type === 'approval') return before.id === now.id;
  return before.type === now?.type;
}
