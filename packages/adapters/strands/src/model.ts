import { guardTurn, type LoopError, type Session } from '@loopfuse/session';
import {
  type AgentStreamEvent,
  type InvokeModelContext,
  type InvokeModelResult,
  type InvokeModelStage,
  Message,
  type MiddlewareHandlerOf,
  type Model,
  TextBlock,
} from '@strands-agents/sdk';
import { answerEvents, requestEvents } from './translate.js';

export interface ModelOptions {
  /** Takes one turn when the guard decides to escalate. Without it the model gets a message instead. */
  readonly escalateTo?: Model | undefined;
}

type Answer = AsyncGenerator<AgentStreamEvent, InvokeModelResult, undefined>;
type Part = AgentStreamEvent | { readonly type: 'answer'; readonly answer: InvokeModelResult };

/** The tool with which an agent answers by a schema: the SDK adds it for one run. */
const structuredOutput = 'strands_structured_output';

/**
 * A middleware for `InvokeModelStage`. Messages for the model are added to the request, answers that go in circles are
 * cut short and requested again, and a run that must end gets a last answer without calls.
 */
export function loopMiddleware(
  session: Session,
  { escalateTo }: ModelOptions = {},
): MiddlewareHandlerOf<typeof InvokeModelStage> {
  return async function* (context, next) {
    const events = session.attempt('translate', () => requestEvents(context.messages), []);
    await session.request(events, context.messages.length);
    let answer: InvokeModelResult | undefined;
    const turn = guardTurn<Part>(session, {
      approves: true, // the plugin's hook asks the user about calls
      ask() {
        const { model, close } = closable(escalateTo && session.takeEscalation() ? escalateTo : context.model);
        return partsOf(next({ ...context, model, ...edited(context, session) }), close);
      },
      read: (part) => (part.type === 'answer' ? [] : answerEvents(part)),
    });
    for await (const step of turn) {
      if (step.type === 'end') return lastAnswer(step.error, session, context);
      if (step.type === 'again') continue;
      if (step.part.type === 'answer') answer = step.part.answer;
      else yield step.part;
    }
    return answer!;
  };
}

async function* partsOf(answer: Answer, close: () => void): AsyncGenerator<Part> {
  try {
    yield { type: 'answer', answer: yield* answer };
  } finally {
    close();
  }
}

/**
 * The same model, whose stream can be closed. The SDK leaves it open if an answer is cut short, and it would continue.
 */
function closable(model: Model): { readonly model: Model; close(): void } {
  let answer: ReturnType<Model['streamAggregated']> | undefined;
  const streamAggregated: Model['streamAggregated'] = (messages, options) => {
    answer = model.streamAggregated(messages, options);
    return answer;
  };
  return {
    model: new Proxy(model, {
      get(target, key) {
        if (key === 'streamAggregated') return streamAggregated;
        const value = Reflect.get(target, key, target);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    }),
    close() {
      // The answer is not read any more, so an error of closing it does not matter.
      answer?.return(undefined as never).catch(() => {});
    },
  };
}

/** The request with our messages. If the provider keeps the history, there are no earlier places to edit. */
function edited(
  { model, messages, dynamicTrailingBlocks }: InvokeModelContext,
  session: Session,
): Pick<InvokeModelContext, 'messages' | 'dynamicTrailingBlocks'> {
  const placed = model.stateful
    ? [...messages.map(theirs), ...session.takeMessages().map(ours)]
    : session.history(messages.map(theirs), ours);
  const sent = joinedUsers(placed);
  if (dynamicTrailingBlocks === undefined) return { messages: sent };
  const added = (sent.at(-1)?.content.length ?? 0) - (messages.at(-1)?.content.length ?? 0);
  return { messages: sent, dynamicTrailingBlocks: dynamicTrailingBlocks + Math.max(0, added) };
}

/** A message in the history. It is identified by its id, because plugins add to its content for single requests. */
interface Placed {
  readonly message: Message;
  /** The text, if it is a message of ours. */
  readonly text?: string;
  toJSON(): string;
}

function theirs(message: Message): Placed {
  return { message, toJSON: () => message.trackingId };
}

function ours(text: string): Placed {
  return { ...theirs(new Message({ role: 'user', content: [new TextBlock(text)] })), text };
}

/** Some providers refuse two messages of the user in a row: ours are appended to the previous one. */
function joinedUsers(placed: readonly Placed[]): Message[] {
  const messages: Message[] = [];
  for (const { message, text } of placed) {
    const last = messages.at(-1);
    if (text === undefined || last?.role !== 'user') messages.push(message);
    else messages[messages.length - 1] = withText(last, text);
  }
  return messages;
}

/** Some providers join the texts of a message, so ours is separated by blank lines. */
function withText({ role, content, trackingId }: Message, text: string): Message {
  const gap = content.at(-1)?.type === 'textBlock' ? '\n\n' : '';
  return new Message({ role, content: [...content, new TextBlock(gap + text)], trackingId });
}

/** The answer that ends a run. An agent that must answer by a schema cannot be ended with text. */
function lastAnswer(error: LoopError, { exitBehavior }: Session, { toolSpecs }: InvokeModelContext): InvokeModelResult {
  if (exitBehavior === 'error' || toolSpecs.some(({ name }) => name === structuredOutput)) throw error;
  const message = new Message({ role: 'assistant', content: [new TextBlock(error.message)] });
  return { result: { message, stopReason: 'endTurn' } };
}
