import type { Json } from 'loopfuse';
import type { DocumentFormat, LinesFormat, Recorder, Translator } from '../format.js';
import { plainMessage } from '../otel/dialects.js';
import { type Rows, translateRows, utcTimeOf } from '../otel/rows.js';
import { contentOf } from '../translating/content.js';
import { isObject, list, num, type Obj, obj, parsed, str } from '../translating/json.js';

/** Runs that LangSmith exported as one JSON document: a list, an answer of the API, or a run with its children. */
export const langsmith: DocumentFormat = {
  name: 'langsmith',
  shape: 'document',
  sniff: ({ document }) =>
    document?.records.some(({ key, value }) => lists.has(key) && isRun(value)) === true ||
    (document?.keys.has('run_type') === true && (document.keys.has('trace_id') || document.keys.has('inputs'))),
  translate: translateLangSmith,
};

/** The same, one run per line. */
export const langsmithLines: LinesFormat = {
  name: 'langsmith',
  shape: 'lines',
  sniff: ({ lines }) => lines.some(isRun),
  translate: translateLangSmith,
};

const lists: ReadonlySet<string> = new Set(['', 'runs', 'child_runs']);
const deepestChild = 64;

function isRun(value: Json): boolean {
  const { id, run_id: run, run_type: type, trace_id: trace, dotted_order: order, inputs } = obj(value);
  if (str(type) === undefined || str(id ?? run) === undefined) return false;
  return str(trace) !== undefined || str(order) !== undefined || isObject(inputs);
}

function translateLangSmith(recorder: Recorder): Translator<Json> {
  /** The run, if the document is one: its members come one by one. */
  const root: { [key: string]: Json } = {};
  return translateRows(
    recorder,
    (value, key, rows) => {
      if (lists.has(key)) addRun(obj(value), rows, 0);
      else if (key === 'cursors' || key === 'parsed_query') recorder.skip(key);
      else root[key] = value;
    },
    (rows) => {
      if (isRun(root)) addRun(root, rows, 0);
      else for (const key in root) recorder.skip(key);
    },
  );
}

function addRun(run: Obj, rows: Rows, depth: number): void {
  const metadata = obj(obj(run.extra).metadata);
  const inputs = obj(parsed(run.inputs));
  const outputs = obj(parsed(run.outputs));
  const kind = str(run.run_type) ?? '';
  const parent = str(run.parent_run_id) ?? str(list(run.parent_run_ids).at(-1));
  rows.add({
    id: str(run.id) ?? str(run.run_id),
    parent,
    trace: str(run.trace_id),
    name: str(run.name),
    start: utcTimeOf(run.start_time),
    end: utcTimeOf(run.end_time),
    failed: str(run.error) !== undefined || run.status === 'error',
    problem: str(run.error),
    attributes: {
      'langsmith.span.kind': kind,
      // `session_id` of a run is the project; the conversation is in the metadata, if the application set it.
      'gen_ai.conversation.id': str(metadata.session_id ?? metadata.thread_id ?? metadata.conversation_id),
      ...(kind === 'llm' ? answerOf(run, metadata, inputs, outputs) : {}),
      ...(kind === 'tool' ? executionOf(inputs, outputs) : {}),
      // The outermost run is the agent; it is unknown which of the inner chains are agents.
      ...(kind === 'chain' && parent === undefined ? { 'gen_ai.operation.name': 'invoke_agent' } : {}),
    },
  });
  if (depth < deepestChild) for (const child of list(run.child_runs)) addRun(obj(child), rows, depth + 1);
}

function answerOf(run: Obj, metadata: Obj, inputs: Obj, outputs: Obj): Obj {
  const parameters = obj(obj(run.extra).invocation_params);
  const said = obj(list(list(outputs.generations)[0])[0]);
  const message = obj(plainMessage(said.message ?? outputs.output ?? list(outputs.messages)[0] ?? null));
  const usage = obj(outputs.usage_metadata ?? message.usage_metadata ?? outputs.usage);
  const tokens = obj(obj(outputs.llm_output).token_usage);
  const details = obj(run.prompt_token_details ?? usage.input_token_details);
  const cost = Number(run.total_cost ?? 0);
  return {
    'gen_ai.request.model': str(metadata.ls_model_name) ?? str(parameters.model) ?? str(parameters.model_name),
    'gen_ai.prompt': inputs as Json,
    'gen_ai.completion': outputs as Json,
    'gen_ai.usage.input_tokens':
      more(run.prompt_tokens) ?? num(usage.input_tokens) ?? num(usage.prompt_tokens) ?? num(tokens.prompt_tokens),
    'gen_ai.usage.output_tokens':
      more(run.completion_tokens) ??
      num(usage.output_tokens) ??
      num(usage.completion_tokens) ??
      num(tokens.completion_tokens),
    'gen_ai.usage.cache_read.input_tokens': num(details.cache_read),
    'gen_ai.usage.cost': cost > 0 ? cost : undefined,
    'gen_ai.response.finish_reasons': [
      str(obj(said.generation_info).finish_reason) ?? str(obj(message.response_metadata).finish_reason) ?? '',
    ],
  };
}

/**
 * The input of a tool is its arguments, or one text with them; its output may be wrapped in a message for the model.
 */
function executionOf(inputs: Obj, outputs: Obj): Obj {
  const only = Object.keys(inputs).length === 1 ? parsed(inputs.input) : undefined;
  const given = inputs.input === undefined || only === undefined ? (inputs as Json) : only;
  const call = obj(given);
  const isCall = call.type === 'tool_call' && call.args !== undefined;
  const output = Object.keys(outputs).length === 1 && outputs.output !== undefined ? outputs.output : (outputs as Json);
  const message = obj(plainMessage(output));
  const isMessage = isObject(output) && message.role === 'tool' && message.content !== undefined;
  return {
    'gen_ai.tool.call.id': str(message.tool_call_id) ?? (isCall ? str(call.id) : undefined),
    // Hidden inputs and outputs are written as empty objects.
    'gen_ai.tool.call.arguments': isCall ? call.args : isEmpty(inputs as Json) ? undefined : given,
    'gen_ai.tool.call.result': isMessage ? contentOf(message.content) : isEmpty(output) ? undefined : output,
    'error.type': isMessage && message.status === 'error' ? 'tool_error' : undefined,
  };
}

function isEmpty(value: Json): boolean {
  return isObject(value) && Object.keys(value).length === 0;
}

/** A count above 0: runs whose tokens were not counted have 0. */
function more(value: Json | undefined): number | undefined {
  const count = num(value);
  return count !== undefined && count > 0 ? count : undefined;
}
