import {
  type ApprovalReply,
  type Approve,
  type Client,
  type ClientEvent,
  standardTools,
  type Trace,
} from '@loopfuse/agent';
import {
  createOutputs,
  entries,
  fromHistory,
  guardInWords,
  type Item,
  type Known,
  type Tone,
} from '@loopfuse/conversation';
import { messageOf } from 'loopfuse/words';
import type { Key } from '../../terminal/keys/key.js';
import type { Agent, Kept } from './open-agent.js';
import { type Input, reduce } from './screen/reduce.js';
import { type Action, type ChatState, type Facts, startState } from './screen/state.js';
import { cardToShow, outputDialog } from './view/output-lines.js';
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

/** How long streaming text waits for more of it before it is drawn, in milliseconds. */
const breath = 40;
/** A dialog that opens under the fingers of somebody who types takes no letters until so long after the last one. */
const calm = 700;

export function startChat(options: ChatOptions): Chat {
  const { agent, kept, greeting = [], trace = () => undefined, page = plainPage, now = Date.now } = options;
  const outputs = createOutputs();
  const listeners = new Set<() => void>();
  const questions = new Map<number, (answer: ApprovalReply) => void>();
  let asked = 0;
  let client = open(kept);
  let state = startState(factsOf(client), knownOf(client), greeting);
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
    return agent.open({ approve, trace: trace() }, one);
  }

  function factsOf({ approval, context }: Client): Facts {
    return { model: agent.model.name, approval, contextLimit: context.limit };
  }

  function knownOf({ guard, usage }: Client): Known {
    return { guard: guard.disabled ? 'off' : 'watching', usage, price: agent.price };
  }

  function dispatch(input: Input): void {
    state = reduce(state, input);
    const { actions } = state;
    if (isStreaming(input)) drawing ??= setTimeout(notify, breath);
    else notify();
    for (const action of actions) perform(action);
  }

  function notify(): void {
    clearTimeout(drawing);
    drawing = undefined;
    for (const listener of listeners) listener();
  }

  function tell(text: string, tone: Tone = 'plain'): void {
    dispatch({ type: 'note', text, tone });
  }

  /** What is done for each action. */
  const performers: { readonly [Type in Action['type']]: (action: Extract<Action, { type: Type }>) => void } = {
    send: ({ text }) => run(() => client.sendMessageStream(text, abort.signal)),
    'answer-loop': answerLoop,
    'answer-approval'({ id, answer }) {
      questions.get(id)?.(answer);
      questions.delete(id);
    },
    cancel,
    compress: () => run(compress),
    restore,
    'describe-loop': () => dispatch({ type: 'list', rows: guardInWords(client, agent.settings) }),
    disable() {
      client.release({ type: 'disable' });
      tell('Loop detection is off for this session.', 'warning');
    },
    enable: () => later(watchAgain),
    exempt({ tool }) {
      const known = standardTools().map(({ name }) => name);
      if (!known.includes(tool))
        return tell(`There is no tool ${tool}. The tools are: ${known.join(', ')}.`, 'warning');
      client.release({ type: 'exempt', tool });
      tell(`Calls of ${tool} are not flagged any more in this session.`);
    },
    'describe-model': () => tell(modelInWords(agent)),
    'choose-model': ({ words }) => chooseModel(words),
    'set-approval'({ mode }) {
      client.approval = mode;
      tell(`Approval is ${mode} from now on.`);
    },
    'show-output': ({ number }) => showOutput(number),
    'list-sessions': () =>
      later(async () => {
        const sessions = (await agent.sessions()).filter(({ id }) => id !== client.sessionId);
        dispatch({ type: 'sessions', sessions });
      }),
    resume: ({ session }) => later(async () => resume(await agent.find(session.id))),
    quit,
  };

  function quit(): void {
    cancel();
    later(async () => {
      await running;
      leave();
    });
  }

  function perform(action: Action): void {
    (performers[action.type] as (one: Action) => void)(action);
  }

  /** Works on something until it ends; one thing after the other. */
  function run(begin: () => AsyncGenerator<ClientEvent, void>): void {
    running = running.then(async () => {
      abort = new AbortController();
      dispatch({ type: 'started' });
      try {
        for await (const event of begin()) {
          outputs.observe(event);
          dispatch({ type: 'event', event });
        }
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

  function answerLoop({ choice, hint = '' }: Extract<Action, { type: 'answer-loop' }>): void {
    const { halted } = client;
    if (!client.decide(choice, hint)) return;
    if (choice !== 'stop' && halted?.resumes === true) run(() => client.continue(abort.signal, hint));
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

  /** Puts back what was taken out of the model's context last. */
  function restore(): void {
    const last = client.takenOut.at(-1);
    if (last === undefined) tell('Nothing was taken out of the context of the model.');
    else if (client.busy) tell('Cancel the request with Esc, or wait for its end, and use /restore then.', 'warning');
    else {
      client.restore(last.id);
      later(() => client.save());
      tell('What was taken out of the context of the model is back.', 'good');
    }
  }

  function showOutput(number: number | undefined): void {
    const card = cardToShow(entries(state.conversation), number);
    if (typeof card === 'string') tell(card, 'warning');
    else dispatch({ type: 'output', dialog: outputDialog(card, outputs.of(card.call.id), page()) });
  }

  function chooseModel(words: string): void {
    try {
      agent.choose(words);
      const { model, providerOptions, name } = agent.model;
      client.setModel(model, providerOptions);
      dispatch({ type: 'facts', facts: { model: name }, known: { price: agent.price } });
      tell(`From now on: ${modelInWords(agent)}`);
    } catch (cause) {
      tell(messageOf(cause), 'bad');
    }
  }

  /** Only a new client has its guard switched on again; it goes on with the conversation. */
  async function watchAgain(): Promise<void> {
    if (!client.guard.disabled) return tell('Loop detection is on.');
    if (agent.settings.disable === true)
      return tell('The settings keep loop detection off: set "disable" to false there.', 'warning');
    if (client.busy) return tell('Loop detection can be switched on when the request has ended.', 'warning');
    const { approval } = client;
    if (client.history.length === 0) client = open(undefined);
    else {
      await client.save();
      const { session, file } = await agent.find(client.sessionId);
      const { guard } = session;
      client = open({
        session: guard === undefined ? session : { ...session, guard: { ...guard, disabled: false } },
        file,
      });
    }
    client.approval = approval;
    dispatch({ type: 'facts', facts: factsOf(client), known: knownOf(client) });
    tell('Loop detection is on for this session.', 'good');
  }

  function resume(one: Kept): void {
    client = open(one);
    const { session } = one;
    dispatch({
      type: 'resumed',
      conversation: fromHistory(session, knownOf(client)),
      facts: factsOf(client),
      since: session.createdAt.slice(0, 10),
    });
    // The greeting above may say otherwise.
    if (client.guard.disabled) tell('Loop detection is off in this session; /loop on switches it on.', 'warning');
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
    quit,
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
