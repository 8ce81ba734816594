import { type ClientEvent, standardTools } from '@loopfuse/agent';
import { entries, fromHistory, guardInWords, type Outputs } from '@loopfuse/conversation';
import { messageOf } from 'loopfuse/words';
import type { Agent, Kept } from '../open-agent.js';
import type { Action } from '../screen/state.js';
import { cardToShow, outputDialog } from '../view/output-lines.js';
import type { Page } from '../view/page.js';
import type { Desk } from './desk.js';
import type { Questions } from './questions.js';
import type { Shown } from './shown.js';
import type { Work } from './work.js';

/** Performs each action. */
export type Performers = { readonly [Type in Action['type']]: (action: Extract<Action, { type: Type }>) => void };

export interface Parts {
  readonly agent: Agent;
  readonly desk: Desk;
  readonly shown: Shown;
  readonly work: Work;
  readonly questions: Questions;
  readonly outputs: Outputs;
  /** The current terminal, for text that is laid out once. */
  readonly page: () => Page;
  /** Called when the user has quit and all work has ended. */
  readonly leave: () => void;
}

export function createPerformers(parts: Parts): Performers {
  const { agent, desk, work, questions, leave } = parts;
  const { dispatch, tell, later } = parts.shown;

  function cancel(): void {
    work.cancel();
    questions.withdraw();
  }

  return {
    send: ({ text }) => work.run((signal) => desk.client.sendMessageStream(text, signal)),
    'answer-approval': ({ id, answer }) => questions.answer(id, answer),
    cancel,
    compress: () => work.run((signal) => compress(parts, signal)),
    'describe-model': () => tell(modelInWords(agent)),
    'choose-model': ({ words }) => chooseModel(parts, words),
    'set-approval'({ mode }) {
      desk.client.approval = mode;
      tell(`Approval is ${mode} from now on.`);
    },
    'show-output': ({ number }) => showOutput(parts, number),
    'list-sessions': () =>
      work.alone(async () => {
        const sessions = (await agent.sessions()).filter(({ id }) => id !== desk.client.sessionId);
        dispatch({ type: 'sessions', sessions });
      }),
    resume: ({ session }) => work.alone(async () => resume(parts, await agent.find(session.id))),
    quit() {
      dispatch({ type: 'leaving' });
      cancel();
      later(async () => {
        await work.ended;
        leave();
      });
    },
    ...aboutLoops(parts),
  };
}

type AboutLoops = 'answer-loop' | 'restore' | 'describe-loop' | 'disable' | 'enable' | 'exempt';

/** The actions about loops and their detection. */
function aboutLoops({ agent, desk, shown, work }: Parts): Pick<Performers, AboutLoops> {
  const { dispatch, tell, later } = shown;

  async function watchAgain(): Promise<void> {
    const { client } = desk;
    if (!client.guard.disabled) return tell('Loop detection is on.');
    if (agent.settings.disable === true)
      return tell('Loop detection is off in the settings: set "disable" to false there.', 'warning');
    await desk.openWatched();
    dispatch({ type: 'facts', facts: desk.facts, known: desk.known });
    tell('Loop detection is on for this session.', 'good');
  }

  return {
    'answer-loop'({ choice, hint = '' }) {
      const { client } = desk;
      const { halted } = client;
      if (!client.decide(choice, hint)) return;
      if (choice !== 'stop' && halted?.resumes === true) work.run((signal) => desk.client.continue(signal, hint));
      else later(() => client.save());
    },
    /** Restores what was last removed from the model's context. */
    restore() {
      const { client } = desk;
      const last = client.takenOut.at(-1);
      if (last === undefined) return tell('Nothing was removed from the context of the model.');
      if (client.busy)
        return tell('Cancel the request with Esc, or wait for its end, and use /restore then.', 'warning');
      client.restore(last.id);
      later(() => client.save());
      tell('What was taken out of the context of the model is back.', 'good');
    },
    'describe-loop': () => dispatch({ type: 'list', rows: guardInWords(desk.client, agent.settings) }),
    disable() {
      desk.client.release({ type: 'disable' });
      tell('Loop detection is off for this session.', 'warning');
    },
    enable: () => work.alone(watchAgain),
    exempt({ tool }) {
      const known = standardTools().map(({ name }) => name);
      if (!known.includes(tool))
        return tell(`There is no tool ${tool}. The tools are: ${known.join(', ')}.`, 'warning');
      desk.client.release({ type: 'exempt', tool });
      tell(`Calls of ${tool} are not flagged any more in this session.`);
    },
  };
}

async function* compress({ desk, shown }: Parts, signal: AbortSignal): AsyncGenerator<ClientEvent, void> {
  let said = false;
  for await (const event of desk.client.compress(signal)) {
    said = true;
    yield event;
  }
  if (!said && !signal.aborted) shown.tell('There is nothing to compress yet.');
}

function showOutput({ shown, outputs, page }: Parts, number: number | undefined): void {
  const card = cardToShow(entries(shown.state.conversation), number);
  if (typeof card === 'string') shown.tell(card, 'warning');
  else shown.dispatch({ type: 'output', dialog: outputDialog(card, outputs.of(card.call.id), page()) });
}

function chooseModel({ agent, desk, shown }: Parts, words: string): void {
  try {
    agent.choose(words);
    const { model, providerOptions, name } = agent.model;
    desk.client.setModel(model, providerOptions);
    shown.dispatch({ type: 'facts', facts: { model: name }, known: { price: agent.price } });
    shown.tell(`From now on: ${modelInWords(agent)}`);
  } catch (cause) {
    shown.tell(messageOf(cause), 'bad');
  }
}

function modelInWords({ model, price }: Agent): string {
  const cost =
    price === undefined
      ? 'its price is not known; --price sets it'
      : `$${price.input} in and $${price.output} out for a million tokens`;
  return `${model.name} of ${model.provider}, ${cost}.`;
}

/** Opens a kept session and shows its messages. */
function resume({ desk, shown }: Parts, kept: Kept): void {
  desk.open(kept);
  showResumed({ desk, shown }, kept);
}

/** Shows the messages of the kept session that is open. */
export function showResumed({ desk, shown }: Pick<Parts, 'desk' | 'shown'>, { session }: Kept): void {
  shown.dispatch({
    type: 'resumed',
    conversation: fromHistory(session, desk.known),
    facts: desk.facts,
    since: session.createdAt.slice(0, 10),
  });
  // The greeting above may say otherwise.
  if (desk.client.guard.disabled)
    shown.tell('Loop detection is off in this session; /loop on switches it on.', 'warning');
}
