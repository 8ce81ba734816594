import { randomBytes } from 'node:crypto';
import type { Json } from 'loopfuse';
import { pieces } from './pieces.js';
import type { Finish, Reply } from './reply.js';
import type { TurnRequest } from './turn.js';

/** A reply with all defaults and ids filled in, which the protocols write. */
export interface Answer {
  /** 24 letters and digits; each protocol adds its own prefix. */
  readonly id: string;
  /** Seconds since the epoch. */
  readonly created: number;
  readonly model: string;
  readonly parts: readonly AnswerPart[];
  readonly finish: Finish;
  readonly usage: {
    readonly input: number;
    readonly output: number;
    readonly cached: number;
    readonly written: number;
    readonly reasoning: number;
  };
  pieces(text: string): readonly string[];
}

export type AnswerPart =
  | { readonly type: 'reasoning'; readonly id: string; readonly text: string }
  | { readonly type: 'text'; readonly id: string; readonly text: string }
  | AnswerCall;

export interface AnswerCall {
  readonly type: 'call';
  /** The id of the item on the wire, for protocols with ids of both item and call. */
  readonly id: string;
  /** Undefined if the script leaves it to the protocol. */
  readonly callId: string | undefined;
  readonly tool: string;
  readonly input: Json;
  /** The text that is streamed: the input as JSON, or the text of a custom tool. */
  readonly source: string;
  readonly takes: 'object' | 'text';
  readonly namespace: string | undefined;
}

export function answerOf({ parts = [], finish, usage = {}, pace = {} }: Reply, turn: TurnRequest): Answer {
  const filled = parts.map((part): AnswerPart => {
    if ('text' in part) return { type: 'text', id: drawId(), text: part.text };
    if ('reasoning' in part) return { type: 'reasoning', id: drawId(), text: part.reasoning };
    const { tool, input, id } = part.call;
    const offer = turn.tools.find(({ name }) => name === tool);
    const takes = offer?.takes ?? 'object';
    const source = takes === 'text' && typeof input === 'string' ? input : JSON.stringify(input);
    return { type: 'call', id: drawId(), callId: id, tool, input, source, takes, namespace: offer?.namespace };
  });
  const size = (type: AnswerPart['type']) =>
    filled.reduce(
      (sum, part) => sum + (part.type === type ? (part.type === 'call' ? part.source : part.text).length : 0),
      0,
    );
  const reasoning = usage.reasoningTokens ?? tokens(size('reasoning'));
  return {
    id: drawId(),
    created: Math.floor(Date.now() / 1000),
    model: turn.model,
    parts: filled,
    finish: finish ?? (filled.some(({ type }) => type === 'call') ? 'calls' : 'stop'),
    usage: {
      input: usage.inputTokens ?? requestTokens(turn.body),
      output: usage.outputTokens ?? reasoning + tokens(size('text') + size('call')),
      cached: usage.cachedTokens ?? 0,
      written: usage.cacheWriteTokens ?? 0,
      reasoning,
    },
    pieces: (text) => pieces(text, pace.cut),
  };
}

/** The estimated tokens of a request, at four characters per token. */
export function requestTokens(body: unknown): number {
  return tokens(JSON.stringify(body ?? null).length);
}

/** Random rather than counted, so that the sessions of two servers never share an id. */
export function drawId(): string {
  return randomBytes(12).toString('hex');
}

function tokens(characters: number): number {
  return Math.ceil(characters / 4);
}
