import { randomUUID } from 'node:crypto';
import type { Json } from 'loopfuse';
import type { AssistantMessage, AssistantPart, ProviderMetadata, ToolCall } from '../history/message.js';
import type { TurnPart } from './stream-turn.js';
import type { Retry } from './with-retries.js';

/** The message that a model is writing. */
export interface Draft {
  readonly blocks: Block[];
  /** Where the deltas begin, for cutting off what repeats. */
  readonly marks: Mark[];
  /** Ids in use, in this message and before. */
  readonly usedIds: Set<string>;
}

type Block =
  | { type: 'text' | 'reasoning'; key: string; text: string; ended: boolean; metadata: ProviderMetadata | undefined }
  | { type: 'tool-call'; call: ToolCall; metadata: ProviderMetadata | undefined };

interface Mark {
  readonly seq: number;
  readonly block: number;
  readonly length: number;
}

/** The meaning of a part of the stream. Other parts are ignored. */
export type Piece =
  | { readonly type: 'text' | 'reasoning'; readonly text: string }
  | { readonly type: 'tool-call'; readonly call: ToolCall; readonly problem?: string }
  | { readonly type: 'usage'; readonly usage: Usage }
  | { readonly type: 'finish'; readonly reason: string }
  | { readonly type: 'error'; readonly error: unknown }
  | { readonly type: 'abort' }
  | ({ readonly type: 'retry' } & Retry);

export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Of the input. */
  readonly cachedTokens: number;
  /** Of the input: what was written to the provider's cache. Absent where nothing was. */
  readonly cacheWriteTokens?: number;
  /** Of the output. */
  readonly reasoningTokens: number;
}

export function startDraft(usedIds: Iterable<string>): Draft {
  return { blocks: [], marks: [], usedIds: new Set(usedIds) };
}

/** Adds a part of the stream to the draft and returns its meaning. */
export function addPart(draft: Draft, part: TurnPart): Piece | undefined {
  switch (part.type) {
    case 'retry':
      return part;
    case 'text-start':
    case 'reasoning-start':
      open(draft, part.type === 'text-start' ? 'text' : 'reasoning', part.id, part.providerMetadata);
      return undefined;
    case 'text-delta':
    case 'reasoning-delta': {
      const type = part.type === 'text-delta' ? 'text' : 'reasoning';
      const block = find(draft, type, part.id) ?? open(draft, type, part.id, undefined);
      block.metadata = merged(block.metadata, part.providerMetadata);
      if (part.text === '') return undefined;
      block.text += part.text;
      return { type, text: part.text };
    }
    case 'text-end':
    case 'reasoning-end': {
      const block = find(draft, part.type === 'text-end' ? 'text' : 'reasoning', part.id);
      if (block) {
        block.ended = true;
        block.metadata = merged(block.metadata, part.providerMetadata);
      }
      return undefined;
    }
    case 'tool-call': {
      if (part.providerExecuted) return undefined; // the provider runs it and has its result
      const call = callOf(part, draft.usedIds);
      draft.usedIds.add(call.id);
      draft.blocks.push({ type: 'tool-call', call, metadata: merged(undefined, part.providerMetadata) });
      const problem = part.invalid === true && !isRecord(part.input) ? notAnObject : undefined;
      return { type: 'tool-call', call, ...(problem === undefined ? {} : { problem }) };
    }
    case 'finish-step':
      return { type: 'usage', usage: usageOf(part.usage) };
    case 'finish':
      return { type: 'finish', reason: part.finishReason };
    case 'error':
      return { type: 'error', error: part.error };
    case 'abort':
      return { type: 'abort' };
    default:
      return undefined;
  }
}

/** Remembers that the event `seq` was the last delta added. */
export function markDelta(draft: Draft, seq: number, delta: string): void {
  for (let at = draft.blocks.length - 1; at >= 0; at--) {
    const block = draft.blocks[at]!;
    if (block.type === 'tool-call') continue;
    draft.marks.push({ seq, block: at, length: block.text.length - delta.length });
    return;
  }
}

/**
 * The finished message; `undefined` where there is neither text nor a call. Of an interrupted message only those thoughts
 * are kept that have ended and are followed by a call, because providers accept no others. Texts lose the provider's ids,
 * because the provider never stored them.
 */
export function finishDraft(draft: Draft, how: 'whole' | 'interrupted'): AssistantMessage | undefined {
  const parts = partsOf(draft, how).map(({ part }) => part);
  if (!parts.some((part) => part.type !== 'reasoning')) return undefined;
  return { role: 'assistant', parts, ...(how === 'interrupted' ? { interrupted: true } : {}) };
}

/** The parts that are kept, each with the index of its block. */
export function partsOf(
  draft: Draft,
  how: 'whole' | 'interrupted',
): readonly { readonly part: AssistantPart; readonly block: number }[] {
  const interrupted = how === 'interrupted';
  return draft.blocks.flatMap((block, at): { part: AssistantPart; block: number }[] => {
    const part = (one: AssistantPart) => [{ part: one, block: at }];
    if (block.type === 'tool-call') return part({ type: 'tool-call', ...block.call, ...metadataOf(block.metadata) });
    if (block.type === 'text')
      return block.text === ''
        ? []
        : part({ type: 'text', text: block.text, ...(interrupted ? {} : metadataOf(block.metadata)) });
    const isKept = !interrupted || (block.ended && draft.blocks.slice(at).some(({ type }) => type === 'tool-call'));
    return isKept ? part({ type: 'reasoning', text: block.text, ...metadataOf(block.metadata) }) : [];
  });
}

/** The draft without what was said from the event `onset` on: a model that reads its own chant continues it. */
export function cutFrom(draft: Draft, onset: number): Draft {
  const mark = draft.marks.find(({ seq }) => seq >= onset);
  if (mark === undefined) return draft;
  const block = draft.blocks[mark.block]!;
  if (block.type === 'tool-call') return draft;
  const kept = block.text.slice(0, mark.length);
  const text = kept === '' ? '' : `${kept} […]`;
  return { ...draft, blocks: [...draft.blocks.slice(0, mark.block), { ...block, text }] };
}

const notAnObject = 'The arguments are not a JSON object.';

function open(draft: Draft, type: 'text' | 'reasoning', key: string, metadata: unknown) {
  const block = { type, key, text: '', ended: false, metadata: merged(undefined, metadata) };
  draft.blocks.push(block);
  return block;
}

function find({ blocks }: Draft, type: 'text' | 'reasoning', key: string) {
  for (let at = blocks.length - 1; at >= 0; at--) {
    const block = blocks[at]!;
    if (block.type !== 'tool-call' && block.type === type && block.key === key && !block.ended) return block;
  }
  return undefined;
}

/** A call that every provider accepts in a history: a new id where the given one is used or invalid, a valid name, an object as input. */
function callOf(part: { toolCallId: string; toolName: string; input: unknown }, used: ReadonlySet<string>): ToolCall {
  const id =
    /^[\w-]{1,64}$/.test(part.toolCallId) && !used.has(part.toolCallId) ? part.toolCallId : `call_${randomUUID()}`;
  const name = part.toolName.replace(/[^\w-]/g, '_').slice(0, 64);
  return {
    id,
    tool: /^[a-z_]/i.test(name) ? name : `tool_${name}`.slice(0, 64),
    input: isRecord(part.input) ? (part.input as ToolCall['input']) : { input: (part.input ?? null) as Json },
  };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function merged(known: ProviderMetadata | undefined, more: unknown): ProviderMetadata | undefined {
  if (!isRecord(more)) return known;
  const all: Record<string, { readonly [key: string]: Json }> = { ...known };
  for (const [provider, fields] of Object.entries(more))
    if (isRecord(fields)) all[provider] = { ...all[provider], ...(plain(fields) as { [key: string]: Json }) };
  return all;
}

function metadataOf(metadata: ProviderMetadata | undefined): { metadata?: ProviderMetadata } {
  return metadata === undefined ? {} : { metadata };
}

/** What JSON keeps of a value. */
function plain(value: unknown): Json {
  return JSON.parse(JSON.stringify(value) ?? 'null') as Json;
}

function usageOf(usage: {
  inputTokens: number | undefined;
  outputTokens: number | undefined;
  inputTokenDetails?: { cacheReadTokens: number | undefined; cacheWriteTokens?: number | undefined };
  outputTokenDetails?: { reasoningTokens: number | undefined };
}): Usage {
  const { cacheWriteTokens = 0 } = usage.inputTokenDetails ?? {};
  return {
    inputTokens: usage.inputTokens ?? 0,
    outputTokens: usage.outputTokens ?? 0,
    cachedTokens: usage.inputTokenDetails?.cacheReadTokens ?? 0,
    reasoningTokens: usage.outputTokenDetails?.reasoningTokens ?? 0,
    ...(cacheWriteTokens > 0 ? { cacheWriteTokens } : {}),
  };
}
