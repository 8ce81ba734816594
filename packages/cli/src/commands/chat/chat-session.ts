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

/** A conversation at a terminal: keys go in, states come out. Independent of how it is drawn. */
export interface Chat {
  readonly state: ChatState;
  /** Calls `listener` when the state has changed: at once for keys, a few times a second for streamed text. */
  readonly subscribe: (listener: () => void) => () => void;
  press(key: Key): void;
  /** Cancels the work in progress, waits until the session is saved, and leaves. */
  quit(): void;
  /** The id of the session, once it is not empty. */
  readonly sessionId: string | undefined;
  /** Resolves when the user has left and all work has ended. */
  readonly left: Promise<void>;
}

export interface ChatOptions {
  readonly agent: Agent;
  /** The session to continue. */
  readonly kept?: Kept | undefined;
  /** The items at the top. */
  readonly greeting?: readonly Item[];
  /** Receives what the agent does; a new one for each session. */
  readonly trace?: () => Trace | undefined;
  /** The current terminal, for text that is laid out once. */
  readonly page?: () => Page;
  /** In milliseconds. */
  readonly now?: () => number;
}

/** If a dialog opens while the user is typing, it ignores letters until this long after the last one, in milliseconds. */
const calm = 700;

/** The key that sent a message or answered a dialog, and when it was last pressed. */
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
  // `shown` and `performers` call each other, but only after both exist.
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

/** Passes keys on, except letters that were meant for the text when a dialog opened, and the second press of a double one. */
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
    // A letter that the dialog does not use begins a sentence: its other letters, and Enter at its end, are not an answer.
    const isTyping =
      dialog === undefined
        ? isLetter && shown.state.editor.text !== ''
        : key.type === 'text' && shown.state.dialog === dialog;
    typedAt = isTyping ? now() : Number.NEGATIVE_INFINITY;
  };
}

/** A key that answered one question and is pressed again at once, or held, does not answer the next; nor does Enter after a letter. */
function isSecondPress(key: Key, { by, at }: Ended, now: number): boolean {
  const isAgain = key.type === 'text' ? by.type === 'text' && by.text === key.text : key.type === 'enter';
  return isAgain && now - at < calm;
}

function isSame(before: Dialog, now: Dialog | undefined): boolean {
  if (before.type === 'approval' && now?.type === 'approval') return before.id === now.id;
  return before.type === now?.type;
}
