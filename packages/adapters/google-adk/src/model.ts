import { BaseLlm, type BaseLlmConnection, type LlmRequest, type LlmResponse } from '@google/adk';
import { guardTurn, type LoopError, type Session } from '@loopfuse/session';
import { createReader, type OpenCall, requestEvents, withIds } from './translate.js';

export interface ModelOptions {
  /** Takes one turn when the guard decides to escalate. Without it the model gets a message instead. */
  readonly escalateTo?: BaseLlm | undefined;
  /**
   * Whether the agent has the session's callback before its tools, so that calls can be refused and the user can be
   * asked.
   */
  readonly approves?: boolean;
}

/**
 * A model that the session watches. Messages for the model are added to the contents, answers that go in circles are
 * cut short and requested again, and a run that must end gets a last answer without calls.
 */
export class LoopLlm extends BaseLlm {
  readonly #llm: BaseLlm;
  readonly #session: Session;
  readonly #options: ModelOptions;
  #open: readonly OpenCall[] = [];

  constructor(llm: BaseLlm, session: Session, options: ModelOptions = {}) {
    super({ model: llm.model });
    this.#llm = llm;
    this.#session = session;
    this.#options = options;
  }

  override async *generateContentAsync(
    request: LlmRequest,
    stream?: boolean,
    abortSignal?: AbortSignal,
  ): AsyncGenerator<LlmResponse, void> {
    const { escalateTo, approves = false } = this.#options;
    const session = this.#session;
    await this.#show(request);
    // In a stream, text and each call are separate answers. The SDK runs each immediately, so they are joined first.
    let whole: LlmResponse | undefined;
    let read = createReader();
    const turn = guardTurn<LlmResponse>(session, {
      approves,
      ask: () => {
        read = createReader();
        const chosen = escalateTo && session.takeEscalation() ? escalateTo : this.#llm;
        const contents = session.history(request.contents, userContent);
        return withIdsIn(
          chosen.generateContentAsync({ ...request, model: chosen.model, contents }, stream, abortSignal),
        );
      },
      read: (response) => {
        const events = read(response);
        const calls = events.flatMap((event) =>
          event.type === 'tool-call' ? [{ id: event.id, tool: event.tool }] : [],
        );
        if (calls.length > 0) this.#open = [...this.#open, ...calls];
        return events;
      },
    });
    for await (const step of turn) {
      if (step.type === 'part' && step.part.partial) yield step.part;
      else if (step.type === 'part') whole = joined(whole, step.part);
      else whole = step.type === 'end' ? lastWord(step.error) : undefined;
    }
    if (whole) yield whole;
  }

  override connect(request: LlmRequest): Promise<BaseLlmConnection> {
    return this.#llm.connect(request); // live connections are not watched
  }

  async #show({ contents }: LlmRequest): Promise<void> {
    const events = this.#session.attempt('translate', () => requestEvents(contents, this.#open), []);
    await this.#session.request(events, contents.length);
    this.#open = [];
  }
}

async function* withIdsIn(responses: AsyncIterable<LlmResponse>): AsyncGenerator<LlmResponse> {
  for await (const response of responses) yield withIds(response);
}

/** Two pieces of one answer as one. */
function joined(first: LlmResponse | undefined, second: LlmResponse): LlmResponse {
  if (first === undefined) return second;
  const parts = [...(first.content?.parts ?? []), ...(second.content?.parts ?? [])];
  return { ...first, ...second, ...(parts.length > 0 ? { content: { role: 'model', parts } } : {}) };
}

/** The answer that ends a run. */
function lastWord({ message }: LoopError): LlmResponse {
  return { content: { role: 'model', parts: [{ text: message }] }, partial: false, turnComplete: true };
}

function userContent(text: string): LlmRequest['contents'][number] {
  return { role: 'user', parts: [{ text }] };
}
