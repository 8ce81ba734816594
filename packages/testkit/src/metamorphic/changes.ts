import type { AgentEvent, EventOf, Json } from 'loopfuse';
import { inGerman } from './error-words.js';
import { inCode, inJson, inPrompt, inShell, inTags, inWords } from './told.js';

/**
 * A change of a whole session that does not matter to a reader: the agent makes the same calls and gets the same
 * results, but the host writes them differently. It keeps the number and the order of events, so that labels stay
 * valid.
 */
export interface Change {
  readonly name: string;
  apply(events: readonly AgentEvent[]): AgentEvent[];
}

/** Changes after which the verdict should be the same. */
export const changes: readonly Change[] = [
  { name: 'tools renamed', apply: renameTools },
  { name: 'everything through one shell tool', apply: (events) => events.map(onCalls(throughShell)) },
  { name: 'error words in another language', apply: (events) => events.map(onTexts(inGerman)) },
  { name: 'a clock and a request id around results', apply: (events) => events.map(onTexts(clocked)) },
  { name: 'a running note in the arguments', apply: (events) => events.map(onCalls(noted)) },
  { name: 'results cut', apply: (events) => events.map(onTexts((text) => cut(text))) },
  { name: 'flags dropped', apply: (events) => events.map(withoutFlag) },
  { name: 'colours', apply: (events) => events.map(onTexts(coloured)) },
  { name: 'line ends', apply: (events) => events.map(onTexts((text) => text.replaceAll('\n', '\r\n'))) },
  { name: 'results wrapped in JSON with an id', apply: (events) => events.map(wrapped) },
  { name: 'the number of the step before results', apply: numbered((text, step) => `Step ${step}\n${text}`) },
  {
    name: 'the turns that are left behind results',
    apply: numbered((text, step) => `${text}\n[${1000 - step} turns remaining]`),
  },
  { name: 'results as what a process gives back', apply: (events) => events.map(asProcess) },
  { name: 'results as JSON in a text', apply: (events) => events.map(asJsonText) },
  { name: 'results wrapped in tags', apply: (events) => events.map(onTexts((text) => `<output>\n${text}\n</output>`)) },
  { name: 'arguments as a JSON string', apply: (events) => events.map(onCalls(asString)) },
  { name: 'results without ids', apply: (events) => events.map(withoutId) },
  { name: 'results in an envelope with a trace', apply: (events) => events.map(inEnvelope) },
  { name: 'calls through another tool', apply: (events) => events.map(onCalls(throughAnother)) },
  { name: 'arguments in the name of the tool', apply: (events) => events.map(onCalls(inName)) },
  { name: 'the command before its result', apply: withCommands },
  { name: 'a screen that still shows the last results', apply: onScreens },
  { name: 'text taken for thoughts', apply: (events) => events.map(asThought) },
  { name: 'results in the next prompt', apply: (events) => events.map(inPrompt) },
  { name: 'calls in words, results in the next prompt', apply: (events) => events.map(inWords).map(inPrompt) },
  { name: 'calls in tags, results in the next prompt', apply: (events) => events.map(inTags).map(inPrompt) },
  { name: 'calls in code, results in the next prompt', apply: (events) => events.map(inCode).map(inPrompt) },
];

const ofAHostNeverSeen = [
  'tools renamed',
  'error words in another language',
  'a clock and a request id around results',
  'a running note in the arguments',
  'flags dropped',
  'line ends',
  'results wrapped in tags',
];

/** Seven of them together, as in the logs of an unknown host. */
export const manyChanges: Change = {
  name: 'seven of these at once',
  apply: (events) =>
    changes
      .filter(({ name }) => ofAHostNeverSeen.includes(name))
      .reduce((changed, { apply }) => apply(changed), [...events]),
};

/** Hosts whose additions cost more than a change should, mostly in short sessions: recognising them takes some results. */
export const noisyHosts: readonly Change[] = [
  { name: 'what it has cost so far behind results', apply: numbered(withCost) },
  { name: 'calls in JSON, results in the next prompt', apply: (events) => events.map(inJson).map(inPrompt) },
  { name: 'calls in blocks for a shell, results in the next prompt', apply: (events) => events.map(inShell) },
  { name: 'an id before results', apply: numbered((text, step) => `[tool_call_id=call_${idOf(step)}] ${text}`) },
];

/** Hosts that show less. The verdict on a loop may change, but work without loops must not become a loop. */
export const plainerHosts: readonly Change[] = [
  { name: 'a host without results', apply: (events) => events.map(without('tool-result')) },
  { name: 'a host without calls', apply: (events) => events.map(without('tool-call')) },
  { name: 'a host without text and reasoning', apply: (events) => events.map(without('text', 'reasoning')) },
  {
    name: 'a host that shows neither arguments nor results',
    apply: (events) => events.map(without('tool-result')).map(onCalls((call) => ({ ...call, input: null }))),
  },
  {
    name: 'a host whose results say ok and no more',
    apply: (events) => events.map((event) => (event.type === 'tool-result' ? { ...event, output: 'ok' } : event)),
  },
  { name: 'a host that shows 60 characters of arguments', apply: (events) => events.map(onCalls(cutShort)) },
  {
    name: 'a host with nothing but calls',
    apply: (events) => events.map((event) => (event.type === 'tool-call' ? event : unseen(event))),
  },
];

function without(...types: readonly AgentEvent['type'][]) {
  return (event: AgentEvent): AgentEvent => (types.includes(event.type) ? unseen(event) : event);
}

/** An empty event in the place of one that is not shown, because labels refer to the index of events. */
function unseen({ lane }: AgentEvent): AgentEvent {
  return { type: 'usage', inputTokens: 0, outputTokens: 0, ...(lane === undefined ? {} : { lane }) };
}

type Call = EventOf<'tool-call'>;

function onCalls(change: (call: Call, seq: number) => Call) {
  return (event: AgentEvent, seq: number): AgentEvent => (event.type === 'tool-call' ? change(event, seq) : event);
}

/** Changes every text of a result, wherever it is. */
function onTexts(change: (text: string, seq: number) => string) {
  const deep = (value: Json, seq: number): Json => {
    if (typeof value === 'string') return change(value, seq);
    if (Array.isArray(value)) return value.map((item) => deep(item, seq));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, deep(inner, seq)]));
  };
  return (event: AgentEvent, seq: number): AgentEvent =>
    event.type === 'tool-result' ? { ...event, output: deep(event.output, seq) } : event;
}

/** Meaningless names, one for each tool. */
function renameTools(events: readonly AgentEvent[]): AgentEvent[] {
  const names = new Map<string, string>();
  const nameOf = (tool: string) => {
    if (!names.has(tool)) names.set(tool, `fn${names.size}`);
    return names.get(tool)!;
  };
  return events.map(onCalls((call) => ({ ...call, tool: nameOf(call.tool) })));
}

function throughShell(call: Call): Call {
  return { ...call, tool: 'bash', input: { command: `${call.tool} ${commandLine(call.input)}` } };
}

function commandLine(input: Json): string {
  if (typeof input === 'string') return input;
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return JSON.stringify(input);
  return Object.values(input)
    .map((value) => (typeof value === 'string' ? value : JSON.stringify(value)))
    .join(' ');
}

function noted(call: Call, seq: number): Call {
  const note = `# step ${seq}`;
  if (typeof call.input === 'string') return { ...call, input: `${call.input} ${note}` };
  if (typeof call.input !== 'object' || call.input === null || Array.isArray(call.input)) return call;
  const input = call.input as { readonly [key: string]: Json };
  const key = ['command', 'cmd', 'code'].find((one) => typeof input[one] === 'string');
  if (key !== undefined) return { ...call, input: { ...input, [key]: `${input[key] as string} ${note}` } };
  return { ...call, input: { ...input, note } };
}

function cutShort(call: Call): Call {
  return { ...call, input: textIn(call.input).slice(0, 60) };
}

function asString(call: Call): Call {
  return typeof call.input === 'string' ? call : { ...call, input: JSON.stringify(call.input) };
}

/** Seconds pass, and every request has a name of its own. */
function clocked(text: string, seq: number): string {
  const pad = (value: number) => String(value).padStart(2, '0');
  const time = `2026-03-04T${pad(9 + Math.floor(seq / 3600))}:${pad(Math.floor(seq / 60) % 60)}:${pad(seq % 60)}Z`;
  return `[${time}] request ${requestId(seq)}\n${text}\n[${time}] done in ${1 + (seq % 7)}.${seq % 10}s`;
}

/** Dollars and tokens that grow by another amount each time. */
function withCost(text: string, step: number): string {
  return `${text}\n\ncost so far: ${(step * 0.0137).toFixed(4)} USD, tokens: ${step * 1837 + ((step * 71) % 97)}`;
}

function idOf(seq: number): string {
  return (Math.imul(seq + 1, 0x9e3779b1) >>> 0).toString(36);
}

function requestId(seq: number): string {
  return (Math.imul(seq + 1, 0x9e3779b1) >>> 0).toString(16).padStart(8, '0');
}

const longest = 600;

function cut(text: string): string {
  return text.length <= longest ? text : `${text.slice(0, longest)}\n[${text.length - longest} characters left out]`;
}

function withoutFlag(event: AgentEvent): AgentEvent {
  if (event.type !== 'tool-result' || event.failed === undefined) return event;
  const { failed: _, ...rest } = event;
  return rest;
}

/** The first word of each line in colour, as compilers and test runners print. */
function coloured(text: string): string {
  return text.replace(/^\w+/gm, (word) => `\u001b[31m${word}\u001b[0m`);
}

function wrapped(event: AgentEvent, seq: number): AgentEvent {
  return event.type === 'tool-result'
    ? { ...event, output: { id: `res_${requestId(seq)}`, type: 'result', content: event.output } }
    : event;
}

/** What a tool that calls other tools is given. */
function throughAnother(call: Call): Call {
  return { ...call, tool: 'call_tool', input: { server: 'main', tool_name: call.tool, arguments: call.input } };
}

function asThought(event: AgentEvent): AgentEvent {
  return event.type === 'text' ? { ...event, type: 'reasoning' } : event;
}

function inName(call: Call): Call {
  return { ...call, tool: `${call.tool}(${JSON.stringify(call.input)})`, input: {} };
}

/** A terminal that shows each command again. */
function withCommands(events: readonly AgentEvent[]): AgentEvent[] {
  const commands = new Map<string, string>();
  return events.map((event) => {
    if (event.type === 'tool-call') commands.set(event.id, `${event.tool} ${commandLine(event.input)}`);
    const command = event.type === 'tool-result' ? commands.get(event.id) : undefined;
    if (event.type !== 'tool-result' || command === undefined) return event;
    return { ...event, output: `$ ${command}\n${textIn(event.output)}` };
  });
}

function inEnvelope(event: AgentEvent, seq: number): AgentEvent {
  if (event.type !== 'tool-result') return event;
  const { failed, ...rest } = event;
  const status = failed === true ? 'error' : 'success';
  return {
    ...rest,
    output: { status, trace_id: requestId(seq), took_ms: 40 + ((seq * 37) % 300), data: event.output },
  };
}

const linesOfScreen = 40;

/** A terminal that shows its whole screen with every result. */
function onScreens(events: readonly AgentEvent[]): AgentEvent[] {
  let screen: string[] = [];
  return events.map((event) => {
    if (event.type !== 'tool-result') return event;
    screen = [...screen, ...textIn(event.output).split('\n')].slice(-linesOfScreen);
    return { ...event, output: screen.join('\n') };
  });
}

/** A host that numbers its results. */
function numbered(change: (text: string, step: number) => string) {
  return (events: readonly AgentEvent[]): AgentEvent[] => {
    let step = 0;
    return events.map((event) =>
      event.type === 'tool-result' ? { ...event, output: change(textIn(event.output), ++step) } : event,
    );
  };
}

function asProcess(event: AgentEvent): AgentEvent {
  if (event.type !== 'tool-result') return event;
  return { ...event, output: { stdout: textIn(event.output), stderr: '', exit_code: event.failed === true ? 1 : 0 } };
}

function asJsonText(event: AgentEvent): AgentEvent {
  if (event.type !== 'tool-result') return event;
  return { ...event, output: JSON.stringify({ observation: textIn(event.output), done: false }) };
}

function textIn(output: Json): string {
  return typeof output === 'string' ? output : JSON.stringify(output);
}

function withoutId(event: AgentEvent): AgentEvent {
  return event.type === 'tool-call' || event.type === 'tool-result' ? { ...event, id: '' } : event;
}
