import type { Json } from 'loopfuse';
import type { DocumentFormat, LinesFormat, Recorder, TextFormat, Translator } from '../format.js';
import { type Rows, translateRows, utcTimeOf } from '../otel/rows.js';
import { createCsv } from '../records/csv.js';
import { num, type Obj, obj, parsed, str } from '../translating/json.js';

/**
 * Langfuse's exports as one JSON document: a table of observations, a trace with its observations, or an API answer.
 */
export const langfuse: DocumentFormat = {
  name: 'langfuse',
  shape: 'document',
  sniff: ({ document }) => document?.records.some(({ key, value }) => lists.has(key) && isObservation(value)) === true,
  translate: translateLangfuse,
};

/** The same, one observation per line: from the table, or from the export to blob storage. */
export const langfuseLines: LinesFormat = {
  name: 'langfuse',
  shape: 'lines',
  sniff: ({ lines }) => lines.some(isObservation),
  translate: translateLangfuse,
};

/** The same as a table of comma-separated values. */
export const langfuseCsv: TextFormat = {
  name: 'langfuse',
  shape: 'text',
  sniff({ bytes }) {
    const columns = bytes
      .toString('utf8', 0, 4096)
      .split('\n', 1)[0]!
      .replaceAll(/["\s\uFEFF]/g, '')
      .split(',');
    const has = (...names: string[]) => names.some((name) => columns.includes(name));
    return has('id') && has('type') && has('traceId', 'trace_id') && has('startTime', 'start_time') && has('input');
  },
  translate(recorder) {
    const translator = translateLangfuse(recorder);
    const csv = createCsv({
      onRow: (row) => translator.record(row, ''),
      onFault: (message) => recorder.fault(message),
    });
    return {
      record: csv.line,
      end() {
        csv.end();
        translator.end();
      },
    };
  },
};

/** The keys of observations in a document: a plain list, a trace, an API answer. */
const lists: ReadonlySet<string> = new Set(['', 'observations', 'data']);

const kinds: ReadonlySet<string> = new Set([
  ...['SPAN', 'GENERATION', 'EVENT', 'AGENT', 'TOOL', 'CHAIN'],
  ...['RETRIEVER', 'EVALUATOR', 'EMBEDDING', 'GUARDRAIL'],
]);

/** The user interface and the API write camel case, the export to blob storage snake case. */
function isObservation(value: Json): boolean {
  const { id, type, traceId, trace_id: trace, startTime, start_time: start } = obj(value);
  return (
    str(id) !== undefined && kinds.has(String(type)) && str(traceId ?? trace) !== undefined && !!(startTime ?? start)
  );
}

function translateLangfuse(recorder: Recorder): Translator<Json> {
  /** The trace, if the document is one: its id comes before its observations, or is in a separate object. */
  let trace: string | undefined;
  let conversation: string | undefined;

  function readTrace(row: Obj): void {
    trace = str(row.id) ?? trace;
    conversation = str(row.sessionId ?? row.session_id) ?? conversation;
  }

  return translateRows(
    recorder,
    (value, key, rows) => {
      if (lists.has(key)) addObservation(obj(value), rows, recorder);
      else if (key === 'trace') readTrace(obj(value));
      else if (key === 'id' || key === 'sessionId') readTrace({ [key]: value });
      else recorder.skip(key);
    },
    (rows) => {
      if (trace !== undefined && conversation !== undefined) rows.belongs(trace, conversation);
    },
  );
}

function addObservation(row: Obj, rows: Rows, recorder: Recorder): void {
  const type = str(row.type);
  const session = str(row.sessionId ?? row.session_id);
  const trace = str(row.traceId ?? row.trace_id);
  if (type === undefined) {
    // A row of the table of traces: it has the session of the observations in the same file.
    const id = str(row.id);
    if (id !== undefined && session !== undefined) rows.belongs(id, session);
    else recorder.skip('row of another kind');
    return;
  }
  const costs = obj(parsed(row.costDetails ?? row.cost_details));
  const cost = numberIn(row.totalCost ?? row.total_cost) ?? num(costs.total);
  rows.add({
    id: str(row.id),
    parent: str(row.parentObservationId ?? row.parent_observation_id),
    trace,
    name: str(row.name),
    start: utcTimeOf(row.startTime ?? row.start_time),
    end: utcTimeOf(row.endTime ?? row.end_time),
    failed: row.level === 'ERROR',
    problem: str(row.statusMessage ?? row.status_message),
    attributes: {
      'langfuse.observation.type': type,
      'langfuse.session.id': session,
      'gen_ai.agent.name': type === 'AGENT' ? undefined : str(row.traceName ?? row.trace_name),
      'langfuse.observation.model.name': str(row.model ?? row.providedModelName ?? row.provided_model_name),
      'langfuse.observation.input': row.input ?? undefined,
      'langfuse.observation.output': row.output ?? undefined,
      'langfuse.observation.usage_details': row.usageDetails ?? row.usage_details ?? row.usage,
      'gen_ai.usage.cost': cost !== undefined && cost > 0 ? cost : undefined,
    },
  });
}

/** Costs are decimals of any length, and some exports write them as strings. */
function numberIn(value: Json | undefined): number | undefined {
  return num(typeof value === 'string' && value !== '' ? Number(value) : value);
}
