import type { AgentEvent } from 'loopfuse';
import { parsedChunk } from './read-body.js';

/**
 * Parses the chunks of a stream, many at once. Most chunks of an answer differ only in the piece of text they carry,
 *
 *     {"choices":[{"index":0,"delta":{"content":"  so"},"finish_reason":null}]}
 *     └─────────────── before ────────────────┘└text┘└────── after ──────────┘
 *
 * so several such chunks in a row are parsed as one, with all of their text. How a text is cut does not matter.
 */
export interface TextRuns {
  values(chunks: readonly string[]): readonly ParsedRun[];
  /** Takes the events of a chunk that was parsed alone, to learn where its text is. */
  learn(run: ParsedRun, events: readonly AgentEvent[]): void;
}

export interface ParsedRun {
  /** Undefined if it is not JSON. */
  readonly value: unknown;
  /** The chunk, if it was parsed alone. */
  readonly chunk: string | undefined;
}

interface Form {
  readonly before: string;
  readonly after: string;
  /** Whether chunks of this form have numbers or random letters (see `uncounted`). */
  readonly counted: boolean;
}

/** A chunk without meaningless additions of the provider: its number, and random letters that hide its length. */
function uncounted(chunk: string): string {
  return chunk
    .replace(/"sequence_number":\d+/, '"sequence_number":0')
    .replace(/"obfuscation":"[^"\\]*"/, '"obfuscation":""');
}

export function createTextRuns(): TextRuns {
  let form: Form | undefined;

  /** The text of a chunk of the known form, still escaped. */
  function textIn(chunk: string): string | undefined {
    if (form === undefined) return undefined;
    const plain = form.counted ? uncounted(chunk) : chunk;
    const { before, after } = form;
    const end = plain.length - after.length;
    if (end < before.length || !plain.startsWith(before) || !plain.endsWith(after)) return undefined;
    const text = plain.slice(before.length, end);
    return isInside(text) ? text : undefined;
  }

  return {
    values(chunks) {
      const runs: ParsedRun[] = [];
      let from = 0;
      let text = '';
      const close = (to: number) => {
        if (from === to) return;
        const value = parsedChunk(form!.before + text + form!.after);
        if (value !== undefined) runs.push({ value, chunk: undefined });
        else for (const chunk of chunks.slice(from, to)) runs.push({ value: parsedChunk(chunk), chunk });
        text = '';
      };
      chunks.forEach((chunk, k) => {
        const more = textIn(chunk);
        if (more !== undefined) {
          text += more;
          return;
        }
        close(k);
        runs.push({ value: parsedChunk(chunk), chunk });
        from = k + 1;
      });
      close(chunks.length);
      return runs;
    },
    learn({ chunk }, events) {
      const [event] = events;
      if (chunk === undefined || events.length !== 1 || (event?.type !== 'text' && event?.type !== 'reasoning')) return;
      const literal = JSON.stringify(event.text);
      const counted = chunk.includes('"sequence_number":') || chunk.includes('"obfuscation":"');
      const plain = counted ? uncounted(chunk) : chunk;
      const at = plain.indexOf(literal);
      // If the text is there twice, its place is not certain.
      if (at < 0 || plain.indexOf(literal, at + 1) >= 0) return;
      form = { before: plain.slice(0, at + 1), after: plain.slice(at + literal.length - 1), counted };
    },
  };
}

/** Whether a text is completely inside a JSON string: no quote ends the string, and no escape at its end is cut. */
function isInside(text: string): boolean {
  let at = 0;
  for (let slash = text.indexOf('\\'); slash >= 0; slash = text.indexOf('\\', at)) {
    if (text.slice(at, slash).includes('"')) return false;
    at = slash + 2;
  }
  return at <= text.length && !text.includes('"', at);
}
