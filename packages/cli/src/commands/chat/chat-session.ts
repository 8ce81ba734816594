import { type ApprovalAnswer, type Approve, type Client, type ClientEvent, releasesFor } from '@loopfuse/agent';
import type { Key } from '../../terminal/keys/key.js';
import { historyItems, sentBefore } from './history-items.js';
import { loopInWords } from './loop-in-words.js';
import type { Agent, Kept } from './open-agent.js';
import { type Item, note, type Tone } from './screen/item.js';
import { type Input, reduce } from './screen/reduce.js';
import { type ChatState, type Deed, type Facts, startState } from './screen/state.js';

/** A conversation at a terminal: keys go in, states come out. Knows nothing of how it is drawn. */
export interface Chat {
  readonly state: ChatState;
  /** Hears that the state has changed: at once for keys, a few times a second for what streams. */
  readonly subscribe: (listener: () => void) => () => void;
  press(key: Key): void;
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
  /** In milliseconds. */
  readonly now?: () => number;
}

/** How long streaming text waits for more of it before it is drawn, in milliseconds. */
const breath = 40;
/** A dialog that opens under the fingers of somebody who types takes no letters until so long after the last one. */
const calm = 700;

export function startChat({ agent, kept, greeting = [], now = Date.now }: ChatOptions): Chat {
  const listeners = new Set<() => void>();
  const questions = new Map<number, (answer: ApprovalAnswer) => void>();
  let asked = 0;
  let client = open(kept);
  let state = startState(factsOf(client), greeting);
  let running: Promise<void> = Promise.resolve();
  let abort = new AbortController();
  let drawing: NodeJS.Timeout | undefined;
  let typedAt = Number.NEGATIVE_INFINITY;
  let leave = () => {};
  const left = new Promise<void>((resolve) => {
    leave = resolve;
  });

  function open(one: Kept | undefined): Client {
    const approve: Approve = (request) =>
      new Promise((resolve) => {
        const id = ++asked;
        questions.set(id, resolve);
        dispatch({ type: 'approval', id, request });
      });
    return agent.open({ approve }, one);
  }

  function factsOf({ guard, usage, approval }: Client): Facts {
    const { model, price } = agent;
    return { model: model.name, price, approval, guard: guard.disabled ? 'off' : 'watching', usage };
  }

  function dispatch(input: Input): void {
    state = reduce(state, input);
    const { deeds } = state;
    if (isStreaming(input)) drawing ??= setTimeout(notify, breath);
    else notify();
    for (const deed of deeds) perform(deed);
  }

  function notify(): void {
    clearTimeout(drawing);
    drawing = undefined;
    for (const listener of listeners) listener();
  }

  function tell(text: string, tone: Tone = 'plain'): void {
    dispatch({ type: 'note', text, tone });
  }

  function perform(deed: Deed): void {
    switch (deed.type) {
      case 'send':
        return run(() => client.sendMessageStream(deed.text, abort.signal));
      case 'answer-loop':
        return answerLoop(deed);
      case 'answer-approval':
        questions.get(deed.id)?.(deed.answer);
        questions.delete(deed.id);
        return;
      case 'cancel':
        return cancel();
      case 'compress':
        return run(() => compress());
      case 'describe-loop':
        return dispatch({ type: 'list', rows: loopInWords(client, agent.settings, agent.model.name) });
      case 'disable':
        client.release({ type: 'disable' });
        return tell('Loop detection is off for this session.', 'warning');
      case 'exempt':
        client.release({ type: 'exempt', tool: deed.tool });
        return tell(`Calls of ${deed.tool} are not flagged any more in this session.`);
      case 'describe-model':
        return tell(modelInWords(agent));
      case 'choose-model':
        return chooseModel(deed.words);
      case 'set-approval':
        client.approval = deed.mode;
        return tell(`Approval is ${deed.mode} from now on.`);
      case 'list-sessions':
        return later(async () => {
          const sessions = (await agent.sessions()).filter(({ id }) => id !== client.sessionId);
          dispatch({ type: 'sessions', sessions });
        });
      case 'resume':
        return later(async () => resume(await agent.find(deed.session.id)));
      case 'quit':
        cancel();
        return later(async () => {
          await running;
          leave();
        });
    }
  }

  /** Works on something until it ends; one thing after the other. */
  function run(begin: () => AsyncGenerator<ClientEvent, void>): void {
    running = running.then(async () => {
      abort = new AbortController();
      dispatch({ type: 'started' });
      try {
        for await (const event of begin()) dispatch({ type: 'event', event });
      } catch (cause) {
        tell(`Something went wrong: ${messageOf(cause)}`, 'bad');
      } finally {
        dispatch({ type: 'settled' });
      }
    });
  }

  /** What goes wrong is told. */
  function later(work: () => Promise<void>): void {
    work().catch((cause: unknown) => tell(messageOf(cause), 'bad'));
  }

  function cancel(): void {
    abort.abort();
    for (const id of questions.keys()) dispatch({ type: 'approval-gone', id }); // nobody waits for the answer any more
    questions.clear();
  }

  function answerLoop({ choice, hint = '' }: Extract<Deed, { type: 'answer-loop' }>): void {
    const { halted } = client;
    if (choice === 'stop' || halted === undefined) return;
    for (const release of releasesFor(choice, halted)) client.release(release);
    if (halted.resumes) run(() => client.continue(abort.signal, hint));
    else later(() => client.save());
  }

  async function* compress(): AsyncGenerator<ClientEvent, void> {
    let said = false;
    for await (const event of client.compress(abort.signal)) {
      said = true;
      yield event;
    }
    if (!said && !abort.signal.aborted) tell('There is nothing to compress yet.');
  }

  function chooseModel(words: string): void {
    try {
      agent.choose(words);
    } catch (cause) {
      return tell(messageOf(cause), 'bad');
    }
    const { model, providerOptions } = agent.model;
    client.setModel(model, providerOptions);
    dispatch({ type: 'facts', facts: { model: agent.model.name, price: agent.price } });
    tell(`From now on: ${modelInWords(agent)}`);
  }

  function resume(one: Kept): void {
    client = open(one);
    const { history, halted } = client;
    dispatch({
      type: 'resumed',
      items: [note(`Resumed the session of ${one.session.createdAt.slice(0, 10)}.`, 'good'), ...historyItems(history)],
      past: sentBefore(history),
      facts: factsOf(client),
      ...(halted === undefined ? {} : { halted }),
    });
  }

  if (kept !== undefined) resume(kept);

  return {
    get state() {
      return state;
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    press(key) {
      const { dialog } = state;
      const isLetter = key.type === 'text' || key.type === 'enter';
      if (dialog !== undefined && isLetter && now() - typedAt < calm) {
        typedAt = now();
        return;
      }
      dispatch({ type: 'key', key });
      typedAt = isLetter && dialog === undefined && state.editor.text !== '' ? now() : Number.NEGATIVE_INFINITY;
    },
    get sessionId() {
      return client.history.length === 0 ? undefined : client.sessionId;
    },
    left,
  };
}

function isStreaming(input: Input): boolean {
  if (input.type !== 'event') return false;
  const { type } = input.event;
  return type === 'content' || type === 'reasoning' || type === 'tool-call-output';
}

function modelInWords({ model, price }: Agent): string {
  const cost =
    price === undefined
      ? 'its price is not known; --price tells it'
      : `$${price.input} in and $${price.output} out for a million tokens`;
  return `${model.name} of ${model.provider}, ${cost}.`;
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
