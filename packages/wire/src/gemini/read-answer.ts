import type { AgentEvent, Json } from 'loopfuse';
import { createClosing, errorMessage } from '../answer-events.js';
import { fieldsOf, isObject, listOf, stringOf } from '../foreign.js';
import type { AnswerReader, ReadAnswerOptions } from '../wire.js';

/** Text and thoughts come in pieces, a call always whole. An answer without server-sent events is a list of chunks. */
export function readAnswer({ nameCall }: ReadAnswerOptions = {}): AnswerReader {
  const closing = createClosing();
  const parts: Json[] = [];
  let unnamed = 0;

  function partEvents(part: unknown): readonly AgentEvent[] {
    const { text, thought, functionCall } = fieldsOf(part);
    if (isObject(part)) parts.push(part as Json);
    if (isObject(functionCall)) {
      const id = stringOf(functionCall.id) || (nameCall?.() ?? `place-${unnamed++}`);
      return [{ type: 'tool-call', id, tool: stringOf(functionCall.name), input: (functionCall.args ?? {}) as Json }];
    }
    const piece = stringOf(text);
    if (piece === '') return [];
    return [{ type: thought === true ? 'reasoning' : 'text', text: piece }];
  }

  function chunkEvents(chunk: unknown): readonly AgentEvent[] {
    const { candidates, usageMetadata, promptFeedback } = fieldsOf(chunk);
    const { promptTokenCount, candidatesTokenCount, thoughtsTokenCount, cachedContentTokenCount } =
      fieldsOf(usageMetadata);
    const output = Number(candidatesTokenCount ?? 0) + Number(thoughtsTokenCount ?? 0);
    closing.count({
      input: promptTokenCount,
      output: output > 0 ? output : undefined,
      cached: cachedContentTokenCount,
    });
    const failure = errorMessage(chunk);
    if (failure !== undefined) closing.fail(failure);
    closing.finish(fieldsOf(promptFeedback).blockReason);
    const first = listOf(candidates)
      .map(fieldsOf)
      .find(({ index }) => (index ?? 0) === 0);
    if (first === undefined) return [];
    const events = listOf(fieldsOf(first.content).parts).flatMap(partEvents);
    closing.finish(first.finishReason);
    return events;
  }

  return {
    read: (value) => (Array.isArray(value) ? value.flatMap(chunkEvents) : chunkEvents(value)),
    end: () => closing.events(),
    open: false,
    get complete() {
      return closing.complete;
    },
    get error() {
      return closing.error;
    },
    said() {
      const visible = parts.filter((part) => {
        const { text, thought, functionCall } = fieldsOf(part);
        return isObject(functionCall) || (typeof text === 'string' && text !== '' && thought !== true);
      });
      return visible.length === 0 ? [] : [{ role: 'model', parts: visible }];
    },
  };
}
