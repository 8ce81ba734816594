import type { LlmRequest, LlmResponse } from '@google/adk';
import type { AgentEvent, Json } from 'loopfuse';

type Content = LlmRequest['contents'][number];
type Part = NonNullable<Content['parts']>[number];

/** A call of the latest answer. The SDK takes the ids that it made itself out of the requests. */
export interface OpenCall {
  readonly id: string;
  readonly tool: string;
}

/** A prefix by which the SDK knows ids that no provider gave: those are not sent to one. */
const prefix = 'adk-';

/** The answer with an id at every call, so that the call and its callbacks can be distinguished from others. */
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
 * Reads an answer piece by piece. The last piece of a streamed one has the text of those before it once more, and every
 * piece tells what the answer has used by then.
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

/** What a request brings: the results that came since the last answer of the model, or the message of the user it ends with. */
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

/** The SDK wraps what is no object in `result`, and what was thrown in `error`. Many tools give an `error` of null. */
function outcome(response: Record<string, unknown> | undefined): { output: Json; failed: boolean } {
  const { result, error, ...rest } = response ?? {};
  const failed = Boolean(error);
  const isWrapped = Object.keys(rest).length === 0;
  return { output: (isWrapped ? (failed ? error : (result ?? '')) : response) as Json, failed };
}
