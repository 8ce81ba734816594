import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import { interrupt } from '@langchain/langgraph';
import { type Answer, guardTurn, handle, type Session } from '@loopfuse/session';
import type { Json } from 'loopfuse';
import { onCall } from './apply.js';
import { answerEvents, historyEvents, isAnswer } from './translate.js';

/**
 * Asks the model under guard, in any node of a graph: `ask` gets the messages with ours in them. An answer that goes in
 * circles is asked for again; a run that is to end gets an answer without calls.
 */
export async function guardModelCall<Reply = AIMessage>(
  session: Session,
  messages: readonly BaseMessage[],
  ask: (messages: BaseMessage[]) => Reply | PromiseLike<Reply>,
): Promise<Reply | AIMessage> {
  for (const event of session.attempt('translate', () => historyEvents(messages), [])) {
    if (event.type === 'tool-result') await session.settle(session.result(event));
    else if (!session.retrying) session.observe(event);
  }
  let answer: Reply | undefined;
  const turn = guardTurn<Reply>(session, {
    approves: true,
    async ask() {
      answer = await ask(session.history(messages, (text) => new HumanMessage(text)));
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

export interface ModelToolCall {
  readonly id?: string | undefined;
  readonly name: string;
  readonly args: unknown;
}

/**
 * Runs a call of the model under guard, in any node of a graph. A refused call gets the reason as its result. Where a
 * person is to be asked, the graph is interrupted with the question; resume it with an answer, for example
 * `new Command({ resume: { type: 'continue' } })`.
 */
export async function guardToolCall<Result>(
  session: Session,
  call: ModelToolCall,
  run: () => Result | PromiseLike<Result>,
): Promise<Result | ToolMessage> {
  const { id = call.name, name } = call;
  const decision = await session.settle(session.call({ id, tool: name, input: call.args as Json }));
  const action = handle(onCall, decision);
  if (action.type === 'interrupt' && decision.type === 'ask') {
    const answer = interrupt<object, Answer>({ loop: action.question, findings: decision.findings });
    if (answer?.type === 'stop') session.end(decision);
    else session.release(answer ?? { type: 'continue' });
    return answer?.type === 'stop' ? refused(id, name, action.question.message) : run();
  }
  return action.type === 'answer' ? refused(id, name, action.text) : run();
}

function refused(id: string, name: string, content: string): ToolMessage {
  return new ToolMessage({ content, tool_call_id: id, name, status: 'error' });
}
