import type { AgentEvent } from 'loopfuse';
import { createFrameReader } from './sse.js';
import type { AnswerReader } from './wire.js';

/** Reads the body of an answer, however it is cut, into events. */
export interface BodyReader {
  push(bytes: Uint8Array): readonly AgentEvent[];
  end(): readonly AgentEvent[];
}

/** An answer in one piece is read when it has ended, if it is not larger than this. */
const maxWholeBytes = 32 * 2 ** 20;

/** Reads an answer as server-sent events or as one JSON body, depending on its content type. */
export function readBody(reader: AnswerReader, contentType: string | null | undefined): BodyReader {
  return isEventStream(contentType) ? readEventBody(reader) : readWholeBody(reader);
}

export function isEventStream(contentType: string | null | undefined): boolean {
  return /^\s*text\/event-stream\b/i.test(contentType ?? '');
}

/** The JSON of a chunk; undefined if it is not JSON, such as the mark of the end. */
export function parsedChunk(data: string | undefined): unknown {
  if (data === undefined) return undefined;
  try {
    return JSON.parse(data);
  } catch {
    return undefined;
  }
}

function readEventBody(reader: AnswerReader): BodyReader {
  const frames = createFrameReader();
  const read = (data: string | undefined) => (data === undefined ? [] : reader.read(parsedChunk(data)));
  return {
    push: (bytes) => frames.push(bytes).flatMap(({ data }) => read(data)),
    end: () => [...frames.end().flatMap(({ data }) => read(data)), ...reader.end()],
  };
}

function readWholeBody(reader: AnswerReader): BodyReader {
  const decoder = new TextDecoder();
  let text = '';
  let size = 0;
  return {
    push(bytes) {
      size += bytes.length;
      if (size <= maxWholeBytes) text += decoder.decode(bytes, { stream: true });
      return [];
    },
    end() {
      const value = size <= maxWholeBytes ? parsedChunk(text + decoder.decode()) : undefined;
      return [...reader.read(value), ...reader.end()];
    },
  };
}
