import type { LlmRequest, LlmResponse } from '@google/adk';
import type { AgentEvent, Json } from 'loopfuse';

type Content = LlmRequest['contents'][number];
type Part = NonNullable<Content['parts']>[number];

/** A call of the latest answer. The SDK removes ids that it made itself from the requests. */
export interface OpenCall {
  readonly id: string;
  readonly tool: string;
}

/** The SDK's prefix for ids that no provider gave: they are not sent to a provider. */
const prefix = 'adk-';

/** The answer with an id at every call, so that a call and its callbacks belong together. */
export function withIds(response: LlmResponse): LlmResponse {
  const { content } = response;
  if (!content?.parts?.some(({ functionCall }) => functionCall && !functionCall.id)) return response;
  const parts = content.parts.map((part) =>
    part.functionCall && !part.functionCall.id
      ? { ...part, functionCall: { ...part.functionCall, id: prefix + crypto.randomUUID() } }
      : part,
  );
  return { ...response, content: { ...content, parts } };
}

/**
 * Reads an answer piece by piece. The last piece of a streamed answer repeats the text of the earlier ones, and every
 * piece has the usage so far.
 */
export function createReader(): (response: LlmResponse) => readonly AgentEvent[] {
  let streamed = false;
  let [input, output] = [0, 0];
  return ({ content, partial, usageMetadata }) => {
    const events: AgentEvent[] = [];
    for (const part of content?.parts ?? []) {
      const { text, thought, functionCall } = part;
      if (text && (partial || !streamed)) events.push({ type: thought ? 'reasoning' : 'text', text });
      if (functionCall && !partial) {
        const { id = '', name = '', args } = functionCall;
        events.push({ type: 'tool-call', id, tool: name, input: (args ?? {}) as Json });
      }
    }
    if (partial) streamed = true;
    const { promptTokenCount = 0, candidatesTokenCount = 0, thoughtsTokenCount = 0 } = usageMetadata ?? {};
    const inputTokens = Math.max(0, promptTokenCount - input);
    const outputTokens = Math.max(0, candidatesTokenCount + thoughtsTokenCount - output);
    if (!partial && inputTokens + outputTokens > 0) {
      events.push({ type: 'usage', inputTokens, outputTokens });
      input += inputTokens;
      output += outputTokens;
    }
    return events;
  };
}

/** The new events of a request: the results since the last answer of the model, or the user's message at its end. */
export function requestEvents(contents: readonly Content[], open: readonly OpenCall[]): readonly AgentEvent[] {
  const fresh = contents.slice(contents.findLastIndex(({ role }) => role === 'model') + 1);
  const parts = fresh.flatMap(({ parts = [] }) => parts);
  const left = [...open];
  const events: AgentEvent[] = [];
  for (const { functionResponse } of parts) {
    if (!functionResponse) continue;
    const { id, name, response } = functionResponse;
    const place = left.findIndex((call) => call.id === id || (id === undefined && call.tool === name));
    const [call] = place < 0 ? [] : left.splice(place, 1);
    if (call) events.push({ type: 'tool-result', id: call.id, ...outcome(response) });
  }
  if (!parts.some(isResult)) {
    const text = (fresh.at(-1)?.parts ?? []).map((part) => part.text ?? '').join('');
    if (fresh.length > 0) events.push({ type: 'prompt', text });
  }
  return events;
}

function isResult({ functionResponse }: Part): boolean {
  return functionResponse !== undefined;
}

/**
 * The SDK wraps values that are not objects in `result`, and thrown errors in `error`. Many tools return an `error` of
 * null.
 */
function outcome(response: Record<string, unknown> | undefined): { output: Json; failed: boolean } {
  const { result, error, ...rest } = response ?? {};
  const failed = Boolean(error);
  const isWrapped = Object.keys(rest).length === 0;
  return { output: (isWrapped ? (failed ? error : (result ?? '')) : response) as Json, failed };
}
