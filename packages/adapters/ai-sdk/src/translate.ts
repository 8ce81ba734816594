import type { LanguageModelMiddleware, StepResult, ToolSet } from 'ai';
import type { AgentEvent, Json } from 'loopfuse';

type WrapGenerate = NonNullable<LanguageModelMiddleware['wrapGenerate']>;
type WrapStream = NonNullable<LanguageModelMiddleware['wrapStream']>;
export type CallOptions = Parameters<WrapGenerate>[0]['params'];
export type Message = CallOptions['prompt'][number];
export type GenerateResult = Awaited<ReturnType<WrapGenerate>>;
export type ContentPart = GenerateResult['content'][number];
export type StreamResult = Awaited<ReturnType<WrapStream>>;
export type StreamPart = StreamResult['stream'] extends ReadableStream<infer Part> ? Part : never;
export type Usage = GenerateResult['usage'];

export const noUsage: Usage = {
  inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: undefined, text: undefined, reasoning: undefined },
};

type ResultOutput = Extract<Extract<Message, { role: 'tool' }>['content'][number], { type: 'tool-result' }>['output'];

/** The events of a part of a whole answer. */
export function contentEvents(part: ContentPart): readonly AgentEvent[] {
  switch (part.type) {
    case 'text':
      return [{ type: 'text', text: part.text }];
    case 'reasoning':
      return [{ type: 'reasoning', text: part.text }];
    case 'tool-call':
      return [{ type: 'tool-call', id: part.toolCallId, tool: part.toolName, input: parsed(part.input) }];
    case 'tool-result': // of a tool that the provider runs
      return [{ type: 'tool-result', id: part.toolCallId, output: part.result as Json, failed: part.isError === true }];
    default:
      return [];
  }
}

/** The events of a part of a streamed answer. */
export function streamEvents(part: StreamPart): readonly AgentEvent[] {
  switch (part.type) {
    case 'text-delta':
      return [{ type: 'text', text: part.delta }];
    case 'reasoning-delta':
      return [{ type: 'reasoning', text: part.delta }];
    case 'tool-call':
    case 'tool-result':
      return part.type === 'tool-result' && part.preliminary ? [] : contentEvents(part);
    case 'finish':
      return usageEvents(part.usage);
    default:
      return [];
  }
}

export function usageEvents({ inputTokens, outputTokens }: Usage): readonly AgentEvent[] {
  if (inputTokens.total === undefined && outputTokens.total === undefined) return [];
  return [
    {
      type: 'usage',
      inputTokens: inputTokens.total ?? 0,
      outputTokens: outputTokens.total ?? 0,
      ...(inputTokens.cacheRead === undefined ? {} : { cachedTokens: inputTokens.cacheRead }),
    },
  ];
}

/** The new events of a prompt: the user's request at its end, or the results since the last answer of the model. */
export function promptEvents(prompt: readonly Message[]): readonly AgentEvent[] {
  const events: AgentEvent[] = [];
  for (const message of prompt.slice(prompt.findLastIndex(({ role }) => role === 'assistant') + 1)) {
    if (message.role === 'user')
      events.push({
        type: 'prompt',
        text: message.content.map((part) => (part.type === 'text' ? part.text : '')).join(''),
      });
    if (message.role !== 'tool') continue;
    for (const part of message.content)
      if (part.type === 'tool-result')
        events.push({ type: 'tool-result', id: part.toolCallId, ...outcome(part.output) });
  }
  return events;
}

function outcome(output: ResultOutput): { output: Json; failed: boolean } {
  switch (output.type) {
    case 'text':
    case 'json':
      return { output: output.value as Json, failed: false };
    case 'error-text':
    case 'error-json':
      return { output: output.value as Json, failed: true };
    case 'execution-denied':
      return { output: output.reason ?? 'The call was denied.', failed: true };
    case 'content':
      return {
        output: output.value.map((part) => (part.type === 'text' ? part.text : `[${part.type}]`)),
        failed: false,
      };
  }
}

/** The results of a finished step. */
export function stepEvents(step: StepResult<ToolSet>): readonly Extract<AgentEvent, { type: 'tool-result' }>[] {
  return step.content.flatMap((part) => {
    if (part.type === 'tool-result') return [resultEvent(part.toolCallId, part.output, false)];
    return part.type === 'tool-error' ? [resultEvent(part.toolCallId, messageOf(part.error), true)] : [];
  });
}

function resultEvent(id: string, output: unknown, failed: boolean): Extract<AgentEvent, { type: 'tool-result' }> {
  return { type: 'tool-result', id, output: output as Json, failed };
}

/** The wording of the SDK for the model, so that a result is the same in its step and in a request. */
function messageOf(error: unknown): string {
  if (error === undefined || error === null) return 'unknown error';
  return error instanceof Error || typeof error === 'string' ? error.toString() : JSON.stringify(error);
}

function parsed(input: string): Json {
  try {
    return JSON.parse(input) as Json;
  } catch {
    return input;
  }
}
