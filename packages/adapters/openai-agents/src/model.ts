import { guardTurn, type LoopError, type Session } from '@loopfuse/session';
import type {
  AgentInputItem,
  AgentOutputItem,
  Model,
  ModelProvider,
  ModelRequest,
  ModelResponse,
  StreamEvent,
} from '@openai/agents';
import { Usage } from '@openai/agents';
import { outputEvents, requestEvents, streamEvents, usageEvents } from './translate.js';

export interface ModelOptions {
  /** Takes one turn when the guard decides to escalate. Without it the model gets a message instead. */
  readonly escalateTo?: Model | undefined;
  /**
   * Whether the tools have the session's guardrail and approval, so that calls can be refused and the user can be
   * asked.
   */
  readonly approves?: boolean;
}

/**
 * A model that the session watches. Messages for the model are added to the input, answers that go in circles are cut
 * short and requested again, and a run that must end gets a last answer without calls.
 */
export function loopModel(model: Model, session: Session, { escalateTo, approves = false }: ModelOptions = {}): Model {
  const chosen = () => (escalateTo && session.takeEscalation() ? escalateTo : model);

  const show = ({ input }: ModelRequest) =>
    session.request(
      session.attempt('translate', () => requestEvents(input), []),
      typeof input === 'string' ? 1 : input.length,
    );

  function edited(request: ModelRequest): ModelRequest {
    const items = typeof request.input === 'string' ? [userMessage(request.input)] : request.input;
    // If the provider keeps the history, the input has only new items: there are no earlier places to edit.
    const isWhole = request.conversationId === undefined && request.previousResponseId === undefined;
    const input = isWhole
      ? session.history(items, userMessage)
      : [...items, ...session.takeMessages().map(userMessage)];
    return { ...request, input };
  }

  return {
    ...(model.supportsPromptModelSelection === undefined
      ? {}
      : { supportsPromptModelSelection: model.supportsPromptModelSelection }),
    ...(model.getRetryAdvice ? { getRetryAdvice: (args) => model.getRetryAdvice?.(args) } : {}),
    async getResponse(request) {
      await show(request);
      let answer: ModelResponse | undefined;
      const turn = guardTurn<AgentOutputItem | { readonly usage: ModelResponse['usage'] }>(session, {
        approves,
        async ask() {
          answer = await chosen().getResponse(edited(request));
          return [...answer.output, { usage: answer.usage }];
        },
        read: (part) => ('usage' in part ? usageEvents(part.usage) : outputEvents(part)),
      });
      for await (const step of turn)
        if (step.type === 'end')
          return { usage: answer?.usage ?? new Usage(), output: [lastWord(step.error, session, request)] };
      return answer!;
    },
    async *getStreamedResponse(request) {
      await show(request);
      const ask = () => chosen().getStreamedResponse(edited(request));
      let begun = false;
      let usage: StreamUsage = { inputTokens: 0, outputTokens: 0, totalTokens: 0 };
      const read = (event: StreamEvent) => {
        if (event.type === 'response_done') usage = event.response.usage;
        return streamEvents(event);
      };
      for await (const step of guardTurn<StreamEvent>(session, { approves, ask, read })) {
        if (step.type === 'end') yield* ending(lastWord(step.error, session, request), begun, usage);
        if (step.type !== 'part' || (begun && step.part.type === 'response_started')) continue;
        if (step.part.type === 'response_started') begun = true;
        yield step.part;
      }
    },
  };
}

/** A provider whose models the session watches, for a `Runner`. */
export function loopModelProvider(
  provider: ModelProvider,
  session: Session,
  options: ModelOptions = {},
): ModelProvider {
  return { getModel: async (name) => loopModel(await provider.getModel(name), session, options) };
}

type StreamUsage = Extract<StreamEvent, { type: 'response_done' }>['response']['usage'];

function* ending(message: AgentOutputItem, begun: boolean, usage: StreamUsage): Generator<StreamEvent> {
  if (!begun) yield { type: 'response_started' };
  yield { type: 'response_done', response: { id: 'loopfuse', usage, output: [message] } } as StreamEvent;
}

/** The answer that ends a run. An agent that must answer by a schema cannot be ended with text. */
function lastWord(error: LoopError, { exitBehavior }: Session, { outputType }: ModelRequest): AgentOutputItem {
  if (exitBehavior === 'error' || outputType !== 'text') throw error;
  return {
    type: 'message',
    role: 'assistant',
    status: 'completed',
    content: [{ type: 'output_text', text: error.message }],
  };
}

function userMessage(text: string): AgentInputItem {
  return { type: 'message', role: 'user', content: [{ type: 'input_text', text }] };
}
