import type { Json } from 'loopfuse';
import type { Recorder } from '../format.js';
import { contentOf } from '../translating/content.js';
import { isMasked, isObject, list, num, type Obj, obj, parsed, str, timeOf } from '../translating/json.js';
import { createTranscript, type Transcript, type Usage } from '../translating/transcript.js';
import { inConventions } from './dialects.js';

/** The part of a span that is needed for the session; only the new input messages are kept. */
export interface Span {
  readonly id: string;
  readonly parent: string | undefined;
  readonly trace: string;
  readonly conversation: string | undefined;
  /** The agent that the span names. */
  readonly agent: string | undefined;
  readonly start: number | undefined;
  readonly end: number | undefined;
  readonly about: Answer | Execution | Agent;
}

interface Answer {
  readonly type: 'answer';
  readonly model: string | undefined;
  /** The last message of the user before the answer. */
  readonly prompt: string | undefined;
  /** Results in the input of the answer, by call. */
  readonly results: readonly { readonly id: string; readonly output: Json | undefined }[];
  readonly parts: readonly Obj[];
  readonly usage: Usage;
  readonly reason: string | undefined;
}

interface Execution {
  readonly type: 'execution';
  readonly call: string | undefined;
  readonly tool: string;
  readonly input: Json;
  /** `undefined` if the export does not contain it. */
  readonly output: Json | undefined;
  readonly failed: boolean | undefined;
}

interface Agent {
  readonly type: 'agent';
  readonly name: string;
}

export function readSpan(span: Obj): Span | undefined {
  const attributes = inConventions(attributesOf(span.attributes));
  const name = str(span.name) ?? '';
  const operation = str(attributes['gen_ai.operation.name']) ?? operationOf(name);
  const about = aboutOf(operation, span, attributes, name);
  if (about === undefined) return undefined;
  return {
    id: str(span.spanId) ?? '',
    parent: str(span.parentSpanId),
    trace: str(span.traceId) ?? '',
    conversation: str(attributes['gen_ai.conversation.id']) ?? str(attributes['session.id']),
    agent: str(attributes['gen_ai.agent.name']),
    start: timeOf(span.startTimeUnixNano),
    end: timeOf(span.endTimeUnixNano),
    about,
  };
}

function operationOf(name: string): string | undefined {
  if (name === 'ai.toolCall') return 'execute_tool';
  if (/^ai\.\w+\.do(Generate|Stream)$/.test(name)) return 'chat';
  return /^(chat|text_completion|generate_content|execute_tool|invoke_agent|create_agent)\b/.exec(name)?.[1];
}

function aboutOf(operation: string | undefined, span: Obj, attributes: Obj, name: string): Span['about'] | undefined {
  switch (operation) {
    case 'chat':
    case 'text_completion':
    case 'generate_content':
      return answerOf(span, attributes);
    case 'execute_tool': {
      const failed =
        num(obj(span.status).code) === 2 ||
        obj(span.status).code === 'STATUS_CODE_ERROR' ||
        str(attributes['error.type']) !== undefined;
      return {
        type: 'execution',
        call: str(attributes['gen_ai.tool.call.id']) ?? str(attributes['ai.toolCall.id']),
        tool:
          str(attributes['gen_ai.tool.name']) ??
          str(attributes['ai.toolCall.name']) ??
          (name.replace(/^execute_tool /, '') || 'unknown'),
        input: argumentsOf(attributes['gen_ai.tool.call.arguments'] ?? attributes['ai.toolCall.args']),
        output: shown(
          attributes['gen_ai.tool.call.result'] ?? attributes['ai.toolCall.result'] ?? str(obj(span.status).message),
        ),
        failed: failed || undefined,
      };
    }
    case 'invoke_agent':
      return {
        type: 'agent',
        name: str(attributes['gen_ai.agent.id']) ?? str(attributes['gen_ai.agent.name']) ?? name,
      };
    default:
      return undefined;
  }
}

function answerOf(span: Obj, attributes: Obj): Answer {
  const inputs = messagesOf(attributes['gen_ai.input.messages'] ?? attributes['ai.prompt.messages']);
  let prompt: string | undefined;
  const results: { id: string; output: Json | undefined }[] = [];
  for (const message of inputs) {
    for (const part of partsOf(message)) {
      const id = str(part.id) ?? str(message.tool_call_id);
      if ((part.type === 'tool_call_response' || message.role === 'tool') && id !== undefined)
        results.push({ id, output: shown(part.response ?? part.result ?? part.content) });
      else if (message.role === 'user' && part.type === 'text') prompt = str(part.content) ?? prompt;
    }
  }
  const outputs = messagesOf(attributes['gen_ai.output.messages']);
  const events = list(span.events).map(obj);
  const choices = events
    .filter(({ name }) => name === 'gen_ai.choice')
    .map((choice) => obj(parsed(attributesOf(choice.attributes).message)));
  const last = outputs.at(-1);
  const read = num(attributes['gen_ai.usage.cache_read.input_tokens']);
  return {
    type: 'answer',
    model: str(attributes['gen_ai.response.model']) ?? str(attributes['gen_ai.request.model']),
    prompt,
    results,
    parts: [...[...outputs, ...choices].flatMap(partsOf), ...sdkParts(attributes)],
    usage: {
      input: num(attributes['gen_ai.usage.input_tokens']) ?? num(attributes['gen_ai.usage.prompt_tokens']),
      output: num(attributes['gen_ai.usage.output_tokens']) ?? num(attributes['gen_ai.usage.completion_tokens']),
      cached: read,
      written: num(attributes['gen_ai.usage.cache_creation.input_tokens']),
      cost: num(attributes['gen_ai.usage.cost']),
    },
    reason: str(list(attributes['gen_ai.response.finish_reasons'])[0]) ?? str(last?.finish_reason),
  };
}

/** The parts in the AI SDK's own attributes. */
function sdkParts(attributes: Obj): Obj[] {
  const parts: Obj[] = [];
  const text = str(attributes['ai.response.text']);
  if (text !== undefined) parts.push({ type: 'text', content: text });
  for (const each of list(parsed(attributes['ai.response.toolCalls'] ?? null))) {
    const { toolCallId, toolName, input, args } = obj(each);
    parts.push({ type: 'tool_call', id: toolCallId, name: toolName, arguments: input ?? args });
  }
  return parts;
}

/** `null` if they are not shown: most exporters leave contents out by default. */
function argumentsOf(value: Json | undefined): Json {
  return value === undefined || value === null || isMasked(value) ? null : parsed(value);
}

function shown(value: Json | undefined): Json | undefined {
  return value === undefined || value === null || isMasked(value) ? undefined : contentOf(value);
}

function messagesOf(value: Json | undefined): readonly Obj[] {
  return value === undefined ? [] : list(parsed(value)).map(obj);
}

/**
 * The parts of a message of the conventions, or of older conventions, whose messages are those of the model's
 * interface.
 */
function partsOf(message: Obj): readonly Obj[] {
  if (Array.isArray(message.parts)) return list(message.parts).map(obj);
  const parts: Obj[] = [];
  const text = contentOf(message.content);
  if (typeof text === 'string' && text !== '') parts.push({ type: 'text', content: text });
  else if (Array.isArray(text)) parts.push(...(text as readonly Json[]).map(partOfBlock));
  for (const each of list(message.tool_calls)) {
    const call = obj(each);
    const { name, arguments: input } = obj(call.function);
    const attributes = input ?? call.arguments ?? call.args;
    // Anthropic's calls are among the blocks, and LangChain repeats them in `tool_calls`.
    if (parts.some(({ type, id }) => type === 'tool_call' && id !== undefined && id === call.id)) continue;
    parts.push({ type: 'tool_call', id: call.id, name: name ?? call.name, arguments: attributes });
  }
  return parts;
}

/** A block of Anthropic's messages, or of the AI SDK's, as a part of the conventions. */
function partOfBlock(value: Json): Obj {
  const block = obj(value);
  switch (block.type) {
    case 'tool_use':
      return { type: 'tool_call', id: block.id, name: block.name, arguments: block.input };
    case 'tool_result':
      return { type: 'tool_call_response', id: block.tool_use_id, response: block.content };
    case 'tool-call':
      return { type: 'tool_call', id: block.toolCallId, name: block.toolName, arguments: block.input ?? block.args };
    case 'tool-result': {
      const output = block.output ?? block.result;
      return { type: 'tool_call_response', id: block.toolCallId, response: obj(output).value ?? output };
    }
    case 'thinking':
    case 'reasoning':
      return { type: 'reasoning', content: block.thinking ?? block.text };
    default:
      return { type: block.type, content: block.text };
  }
}

/** OTLP's attributes as an object: `[{ key, value: { stringValue } }]`. */
function attributesOf(value: Json | undefined): Obj {
  const found: { [key: string]: Json } = {};
  for (const each of list(value)) {
    const { key, value: attributes } = obj(each);
    if (typeof key === 'string') found[key] = plainValue(attributes ?? null, 0);
  }
  return isObject(value) ? value : found;
}

function plainValue(value: Json, depth: number): Json {
  if (!isObject(value) || depth > 16) return value;
  if ('stringValue' in value) return value.stringValue!;
  if ('intValue' in value) return Number(value.intValue);
  if ('doubleValue' in value) return value.doubleValue!;
  if ('boolValue' in value) return value.boolValue!;
  if ('arrayValue' in value) return list(obj(value.arrayValue).values).map((each) => plainValue(each, depth + 1));
  if ('kvlistValue' in value)
    return Object.fromEntries(
      list(obj(value.kvlistValue).values).map((each) => [
        String(obj(each).key),
        plainValue(obj(each).value ?? null, depth + 1),
      ]),
    );
  return value;
}

/** A session that is being written. */
interface Writing {
  readonly transcript: Transcript;
  readonly prompts: Set<string>;
  /** Ids of the calls in answers, by lane and tool: spans of tools do not always have the id of the call. */
  readonly announced: Map<string, string[]>;
}

/**
 * Writes spans as sessions, one for each conversation, in the order in which they began. `conversations` has the
 * conversation of a trace if that is known from elsewhere than its spans.
 */
export function writeSpans(
  recorder: Recorder,
  spans: readonly Span[],
  conversations: Map<string, string> = new Map(),
): void {
  const byId = new Map(spans.map((span) => [span.id, span]));
  for (const { trace, conversation } of spans) if (conversation !== undefined) conversations.set(trace, conversation);
  const transcripts = new Map<string, Writing>();
  for (const span of [...spans].sort((a, b) => (a.start ?? 0) - (b.start ?? 0))) {
    const id = span.conversation ?? conversations.get(span.trace) ?? span.trace;
    let session = transcripts.get(id);
    if (session === undefined) {
      const opened = recorder.open(id === '' ? recorder.fallbackId : id);
      session = { transcript: createTranscript(recorder, opened), prompts: new Set(), announced: new Map() };
      transcripts.set(id, session);
    }
    const { about } = span;
    const lane = laneOf(span, byId);
    const agent = about.type === 'agent' ? about.name : span.agent;
    if (agent !== undefined && lane === undefined && session.transcript.session.agent === 'unknown')
      session.transcript.session.agent = agent;
    if (about.type === 'agent') continue;
    if (about.type === 'answer') writeAnswer(span, about, session, lane);
    else writeExecution(span, about, session, lane);
  }
  for (const { transcript } of transcripts.values()) transcript.end();
}

function writeAnswer(span: Span, answer: Answer, session: Writing, lane: string | undefined): void {
  const to = session.transcript;
  for (const { id, output } of answer.results)
    if (to.waits(id) && output !== undefined) to.result({ id, output, at: span.start, lane });
  if (answer.prompt !== undefined && !session.prompts.has(`${lane ?? ''} ${answer.prompt}`)) {
    session.prompts.add(`${lane ?? ''} ${answer.prompt}`);
    to.prompt(answer.prompt, span.start, lane);
  }
  if (answer.model !== undefined && lane === undefined) to.session.model = answer.model;
  to.turn(span.id, span.start, lane);
  for (const [k, part] of answer.parts.entries()) {
    if (part.type === 'text') to.text(str(part.content) ?? '', span.end, lane);
    else if (part.type === 'reasoning' || part.type === 'thinking')
      to.reasoning(str(part.content) ?? '', span.end, lane);
    else if (part.type === 'tool_call') {
      const id = str(part.id) ?? `${span.id}.${k}`;
      const tool = str(part.name) ?? 'unknown';
      to.call(id, tool, argumentsOf(part.arguments), span.end, lane);
      const key = `${lane ?? ''} ${tool}`;
      const others = session.announced.get(key);
      if (others === undefined) session.announced.set(key, [id]);
      else others.push(id);
    }
  }
  to.usage({ ...answer.usage, model: answer.model }, span.end, lane);
  to.endTurn(answer.reason, span.end, lane);
}

function writeExecution(span: Span, about: Execution, session: Writing, lane: string | undefined): void {
  const to = session.transcript;
  const call = about.call ?? waitingCall(session, `${lane ?? ''} ${about.tool}`) ?? `${span.id}.call`;
  const { tool, input, output, failed } = about;
  if (!to.waits(call)) to.call(call, tool, input, span.start, lane);
  // A failure is known even if the output is not shown.
  if (output !== undefined || failed) to.result({ id: call, output: output ?? '', failed, at: span.end, lane, tool });
}

/** The oldest call of a tool that waits for its result. */
function waitingCall({ transcript, announced }: Writing, key: string): string | undefined {
  const ids = announced.get(key);
  while (ids !== undefined && ids.length > 0) {
    const id = ids.shift()!;
    if (transcript.waits(id)) return id;
  }
  return undefined;
}

/** A sub-agent is the span of an agent below that of another agent; all spans below it are in its lane. */
function laneOf(span: Span, byId: ReadonlyMap<string, Span>): string | undefined {
  let inner: Span | undefined;
  let at: Span | undefined = span;
  for (let depth = 0; at !== undefined && depth < 64; depth++) {
    if (at.about.type === 'agent') {
      if (inner !== undefined) return `${(inner.about as Agent).name} ${inner.id}`;
      inner = at;
    }
    at = at.parent === undefined ? undefined : byId.get(at.parent);
  }
  return undefined;
}
