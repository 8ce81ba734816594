import type { Json } from 'loopfuse';
import type { Recorder, Translator } from '../format.js';
import { type Obj, str, timeOf } from '../translating/json.js';
import { readSpan, type Span, writeSpans } from './spans.js';

/** A span that a product exported as a row. */
export interface Row {
  readonly id: string | undefined;
  readonly parent: string | undefined;
  readonly trace: string | undefined;
  readonly name: string | undefined;
  readonly start: number | undefined;
  readonly end: number | undefined;
  /** Whether it failed, and with which message. */
  readonly failed: boolean;
  readonly problem: string | undefined;
  readonly attributes: Obj;
}

export interface Rows {
  add(row: Row): void;
  /** Reports that a trace belongs to a conversation, if its spans do not say so. */
  belongs(trace: string, conversation: string): void;
}

/**
 * A translator of exported spans: `read` adds the rows of a record. An export has no particular order, so its rows are
 * sorted at the end.
 */
export function translateRows(
  recorder: Recorder,
  read: (value: Json, key: string, rows: Rows) => void,
  end: (rows: Rows) => void = () => {},
): Translator<Json> {
  const spans: Span[] = [];
  const seen = new Set<string>();
  const conversations = new Map<string, string>();
  const rows: Rows = {
    add(row) {
      const id = row.id ?? `row-${spans.length}`;
      if (seen.has(id)) {
        recorder.skip('repeated span');
        return;
      }
      const span = readSpan({
        spanId: id,
        ...(row.parent === undefined ? {} : { parentSpanId: row.parent }),
        traceId: row.trace ?? '',
        name: row.name ?? '',
        ...(row.start === undefined ? {} : { startTimeUnixNano: row.start }),
        ...(row.end === undefined ? {} : { endTimeUnixNano: row.end }),
        status: { code: row.failed ? 2 : 0, ...(row.problem === undefined ? {} : { message: row.problem }) },
        attributes: row.attributes as Json,
      });
      seen.add(id);
      if (span) spans.push(span);
      else recorder.skip('span of another kind');
    },
    belongs: (trace, conversation) => void conversations.set(trace, conversation),
  };
  return {
    record: (value, key) => read(value, key, rows),
    end() {
      end(rows);
      writeSpans(recorder, spans, conversations);
    },
  };
}

/** A time that is in UTC if it has no zone: `2026-05-29 13:46:19.963000`, `2026-05-29T13:46:19.963`. */
export function utcTimeOf(value: Json | undefined): number | undefined {
  const text = str(value);
  if (text === undefined || !/^\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(\.\d{1,9})?$/.test(text)) return timeOf(value);
  return timeOf(`${text.slice(0, 10)}T${text.slice(11)}Z`);
}
