import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import { interrupt } from '@langchain/langgraph';
import { type Answer, callAction, guardTurn, type Session } from '@loopfuse/session';
import type { Decision, Findings, Json, Question } from 'loopfuse';
import { answerEvents, historyEvents, isAnswer } from './translate.js';

/**
 * Asks the model under guard, in any node of a graph: `ask` gets the messages, including ours. An answer that goes in
 * circles is requested again; a run that must end gets an answer without calls. `askStronger` asks the model that takes
 * one turn when the guard escalates; without it the model gets a message instead.
 */
export async function guardModelCall<Reply = AIMessage>(
  session: Session,
  messages: readonly BaseMessage[],
  ask: (messages: BaseMessage[]) => Reply | PromiseLike<Reply>,
  askStronger?: (messages: BaseMessage[]) => Reply | PromiseLike<Reply>,
): Promise<Reply | AIMessage> {
  const events = session.attempt('translate', () => historyEvents(messages), []);
  await session.request(events, messages.length);
  let answer: Reply | undefined;
  const turn = guardTurn<Reply>(session, {
    approves: true,
    async ask() {
      const chosen = askStronger !== undefined && session.takeEscalation() ? askStronger : ask;
      answer = await chosen(session.history(messages, (text) => new HumanMessage(text)));
      return [answer];
    },
    read: (part) => (isAnswer(part) ? answerEvents(part) : []),
  });
  for await (const step of turn) {
    if (step.type !== 'end') continue;
    if (session.exitBehavior === 'error') throw step.error;
    return new AIMessage(step.error.message);
  }
  return answer!;
}

type Ask = Extract<Decision, { type: 'ask' }>;

export interface ModelToolCall {
  readonly id?: string | undefined;
  readonly name: string;
  readonly args: unknown;
}

/**
 * Runs a call of the model under guard, in any node of a graph. A refused call gets the reason as its result. If the
 * user must be asked, the graph is interrupted with the question; resume it with an answer, for example
 * `new Command({ resume: { type: 'continue' } })`, or as after any human-in-the-loop interrupt.
 */
export async function guardToolCall<Result>(
  session: Session,
  call: ModelToolCall,
  run: () => Result | PromiseLike<Result>,
): Promise<Result | ToolMessage> {
  const { id = call.name, name } = call;
  const decision = await session.settle(session.call({ id, tool: name, input: call.args as Json }));
  const action = callAction(decision);
  if (action.type === 'refuse') return refused(id, name, action.text);
  if (action.type === 'run' || decision.type !== 'ask') return run();
  const { message } = action.question;
  const answer = answerOf(interrupt<LoopInterrupt, unknown>(requestFor(call, decision)));
  if (answer.type === 'stop') session.end(decision);
  else if (answer.type !== 'reject') session.release(answer);
  if (answer.type === 'stop') return refused(id, name, message);
  return answer.type === 'reject' ? refused(id, name, answer.message ?? message) : run();
}

/**
 * The value of the interrupt: the request in the form of `humanInTheLoopMiddleware`, so that its user interfaces can
 * show it too, and the question with its choices.
 */
export interface LoopInterrupt {
  readonly actionRequests: readonly { readonly name: string; readonly args: unknown; readonly description: string }[];
  readonly reviewConfigs: readonly { readonly actionName: string; readonly allowedDecisions: readonly string[] }[];
  readonly loop: Question;
  readonly findings: Findings;
}

function requestFor({ name, args }: ModelToolCall, { question, findings }: Ask): LoopInterrupt {
  return {
    actionRequests: [{ name, args, description: question.message }],
    reviewConfigs: [{ actionName: name, allowedDecisions: ['approve', 'reject'] }],
    loop: question,
    findings,
  };
}

const answers: ReadonlySet<unknown> = new Set<Answer['type']>(['continue', 'hint', 'exempt', 'disable', 'stop']);

/** The decision about a call in a human-in-the-loop response. */
type Decided = { readonly type?: unknown; readonly message?: unknown };
type Rejection = { readonly type: 'reject'; readonly message?: string };

/**
 * One of our answers, or the decisions of a human-in-the-loop response. Some hosts resume with the decision alone, or with
 * `true`. The call runs only after an explicit approval: anything else is a rejection.
 */
function answerOf(resumed: unknown): Answer | Rejection {
  if (resumed === true) return { type: 'continue' };
  const { type, decisions } = (resumed ?? {}) as { type?: unknown; decisions?: unknown };
  if (answers.has(type)) return resumed as Answer;
  const decision = (Array.isArray(decisions) ? decisions[0] : resumed) as Decided | null | undefined;
  if (decision?.type === 'approve' || decision?.type === 'accept') return { type: 'continue' };
  return { type: 'reject', ...(typeof decision?.message === 'string' ? { message: decision.message } : {}) };
}

function refused(id: string, name: string, content: string): ToolMessage {
  return new ToolMessage({ content, tool_call_id: id, name, status: 'error' });
}
