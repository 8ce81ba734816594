import type { Json } from 'loopfuse';
import type { DocumentFormat, LinesFormat, Recorder, Translator } from '../format.js';
import { type Rows, translateRows, utcTimeOf } from '../otel/rows.js';
import { isObject, type Obj, obj, parsed, str } from '../translating/json.js';

/** Spans that Phoenix exported as one JSON document: a list, an answer of the API, or a data frame column by column. */
export const phoenix: DocumentFormat = {
  name: 'phoenix',
  shape: 'document',
  sniff: ({ document }) =>
    document?.records.some(({ key, value }) => lists.has(key) && isSpan(value)) === true ||
    (document?.keys.has('context.trace_id') === true && document.keys.has('span_kind')),
  translate: translatePhoenix,
};

/** The same, one span per line. */
export const phoenixLines: LinesFormat = {
  name: 'phoenix',
  shape: 'lines',
  sniff: ({ lines }) => lines.some(isSpan),
  translate: translatePhoenix,
};

const lists: ReadonlySet<string> = new Set(['', 'data', 'spans']);

/** Ids are in an object `context`, or in columns of that name. */
function isSpan(value: Json): boolean {
  const span = obj(value);
  const { context, span_kind: kind, attributes } = span;
  const { trace_id: trace, span_id: id } = obj(context);
  if (str(trace) !== undefined && str(id) !== undefined) return kind !== undefined || isObject(attributes);
  return str(span['context.trace_id']) !== undefined && kind !== undefined;
}

function translatePhoenix(recorder: Recorder): Translator<Json> {
  /** The columns of a data frame that was written column by column: `{ name: { "0": …, "1": … }, … }`. */
  const columns = new Map<string, Obj>();
  return translateRows(
    recorder,
    (value, key, rows) => {
      if (lists.has(key) && isObject(value)) addSpan(value, rows);
      else if (isObject(value)) columns.set(key, value);
      else recorder.skip(key);
    },
    (rows) => {
      const index = columns.get('context.trace_id') ?? {};
      for (const row in index) {
        const span: { [column: string]: Json } = {};
        for (const [name, cells] of columns) if (cells[row] !== undefined) span[name] = cells[row];
        // The index of Phoenix's data frames is the id of the span.
        addSpan({ 'context.span_id': row, ...span }, rows);
      }
    },
  );
}

function addSpan(span: Obj, rows: Rows): void {
  const context = obj(span.context);
  const flat: { [key: string]: Json } = {};
  flatten(obj(parsed(span.attributes)) as Json, '', flat, 0);
  for (const key in span) if (key.startsWith(prefix)) flatten(span[key]!, key.slice(prefix.length), flat, 0);
  const kind = str(span.span_kind);
  const status = String(obj(span.status).status_code ?? span.status_code ?? '').toUpperCase();
  rows.add({
    id: str(context.span_id) ?? str(span['context.span_id']),
    parent: str(span.parent_id),
    trace: str(context.trace_id) ?? str(span['context.trace_id']),
    name: str(span.name),
    start: utcTimeOf(span.start_time),
    end: utcTimeOf(span.end_time),
    failed: status === 'ERROR',
    problem: str(span.status_message) ?? str(obj(span.status).description),
    attributes: {
      ...(kind === undefined || kind.startsWith('SpanKind.') ? {} : { 'openinference.span.kind': kind }),
      // The default name of a tool is the name of its span.
      ...(str(span.name) === undefined ? {} : { 'tool.name': span.name }),
      ...flat,
    },
  });
}

const prefix = 'attributes.';
const deepest = 16;
const mostKeys = 100_000;

/**
 * Attributes under dotted names, as OpenInference defines them. The API has these names, data frames have lists of
 * objects in their cells, and the store nests the attributes.
 */
function flatten(value: Json, name: string, found: { [key: string]: Json }, depth: number): void {
  if (value === null) return;
  if (name !== '') found[name] = value;
  if (typeof value !== 'object' || depth >= deepest) return;
  let left = mostKeys;
  for (const key in value) {
    if (left-- <= 0) return;
    const member = (value as { readonly [key: string]: Json })[key]!;
    flatten(member, name === '' ? key : `${name}.${key}`, found, depth + 1);
  }
}
