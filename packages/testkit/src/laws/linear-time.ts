import type { AgentEvent, Json } from 'loopfuse';

/**
 * The law of linear time: eight times the text takes at most a small multiple of eight times as long, whatever the text
 * repeats and wherever in an event it is. Times depend on the machine, so this is measured by a bench, as ratios
 * of the least of several rounds, and not by a unit test.
 */
export interface LinearCell {
  readonly subject: string;
  readonly place: string;
  readonly unit: string;
  /** Milliseconds of processor time for the shorter and for the longer text. */
  readonly short: number;
  readonly long: number;
  /** How many times as long as linear growth allows: 1 is linear, `longLength / shortLength` quadratic. */
  readonly timesLinear: number;
}

/** Something that observes events. Every call of `start` makes a new session. */
export interface LinearSubject {
  readonly name: string;
  readonly start: () => (event: AgentEvent) => unknown;
  /** Types of events that it reads, if not all. */
  readonly reads?: ReadonlySet<AgentEvent['type']>;
}

export const shortLength = 20_000;
export const longLength = 160_000;
/** Milliseconds: a time for the shorter text that is not longer than this is too short to be compared. */
const leastTime = 0.1;

/** Units of texts: each of them, alone or mixed, has made some reader slow. */
export const linearUnits: Readonly<Record<string, string>> = {
  letters: 'a',
  capitals: 'Ab',
  digits: '7',
  dots: '.',
  dashes: '-',
  underscores: '_',
  quotes: '"',
  apostrophes: "'",
  backticks: '`',
  'opening brackets': '[{(<',
  'closing brackets': ')}]>',
  blanks: ' ',
  tabs: '\t',
  'line ends': '\n',
  'blank lines': ' \r\n',
  slashes: '/',
  backslashes: '\\',
  colons: ':',
  'equal signs': 'a=',
  stars: '*',
  hashes: '#',
  pipes: '|---',
  'exit codes': 'exit code ',
  'exit codes and numbers': 'exit code 0 ',
  errors: 'Error: ',
  'error lines': 'src/a.ts(3,7): error TS2304: Cannot find name.\n',
  'dotted names': 'a.b.',
  'dotted errors': 'java.lang.',
  dotted: 'Build........Passed\n',
  'no errors': '0 errors, no ',
  statuses: '"status": ',
  'JSON openers': '{"a":[',
  'JSON lines': '{"type":"text","n":1}\n',
  fences: '```\n',
  times: '2026-11-15T10:00:00.123Z ',
  hex: '0xdeadbeef',
  'ids with dashes': '00000000-0000-',
  paths: '/tmp/a1',
  'temporary paths': '/var/folders/',
  commands: 'cd a && ',
  words: 'the quick brown fox jumps over the lazy dog. ',
  emoji: '🙂',
  'joined emoji': '👩‍👩‍👧',
  'lone surrogates': '\ud83d',
  'turned surrogates': '\udc00\ud800',
  ideographs: '循环检测',
  'combining marks': 'e\u0301',
  'zero bytes': '\u0000',
  escapes: '\u001b[31m',
};

const mixLetters = 'ab7.-_"\'[]{}() \n\t/\\:=é循🙂,;';

/** A text of about `length` characters; without a unit it is a mix that does not repeat. */
export function linearText(unit: string | undefined, length: number): string {
  if (unit !== undefined) return flat(unit.repeat(Math.ceil(length / unit.length)));
  const signs = [...mixLetters];
  let seed = 1;
  let text = '';
  while (text.length < length) {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
    text += signs[(seed >>> 16) % signs.length]!;
  }
  return flat(text);
}

/** The text in one piece, as from a parser: engines keep concatenations in parts until they are read. */
function flat(text: string): string {
  return JSON.parse(JSON.stringify(text)) as string;
}

const texts = new Map<string, string>();

/** The same text every time, made once. */
function textOf(unit: string, length: number): string {
  const key = `${unit} ${length}`;
  const text = texts.get(key) ?? linearText(linearUnits[unit], length);
  texts.set(key, text);
  return text;
}

type Place = (text: string) => readonly AgentEvent[];

function called(input: Json, tool = 'run_shell_command'): readonly AgentEvent[] {
  return [
    { type: 'tool-call', id: '1', tool, input },
    { type: 'tool-result', id: '1', output: 'done' },
  ];
}

function brought(output: Json, failed?: boolean): readonly AgentEvent[] {
  return [
    { type: 'tool-call', id: '1', tool: 'run_shell_command', input: { command: 'npm test' } },
    { type: 'tool-result', id: '1', output, ...(failed === undefined ? {} : { failed }) },
  ];
}

/** Every place in which an event has text, in one piece and in many. */
export const linearPlaces: Readonly<Record<string, Place>> = {
  text: (text) => [{ type: 'text', text }],
  'text in pieces': (text) => pieces(text, 24).map((piece) => ({ type: 'text', text: piece })),
  'text by characters': (text) => pieces(text, 1).map((piece) => ({ type: 'text', text: piece })),
  reasoning: (text) => [{ type: 'reasoning', text }],
  'reasoning in pieces': (text) => pieces(text, 24).map((piece) => ({ type: 'reasoning', text: piece })),
  prompt: (text) => [{ type: 'prompt', text }, ...called({})],
  'prompt id': (text) => [{ type: 'prompt', id: text }],
  'tool name': (text) => called({}, text),
  'call id': (text) => [
    { type: 'tool-call', id: text, tool: 'read_file', input: {} },
    { type: 'tool-result', id: text, output: '' },
  ],
  'input, a string': (text) => called(text),
  'input, a command': (text) => called({ command: text }),
  'input, a file written': (text) => called({ file_path: 'a.ts', content: text }, 'write_file'),
  'input, a replacement': (text) => called({ file_path: 'a.ts', old_string: text, new_string: `${text}!` }, 'replace'),
  'input, a path': (text) => called({ path: text }, 'read_file'),
  'input, a key': (text) => called({ [text]: 1 }),
  'input, many keys': (text) => called(Object.fromEntries(pieces(text, 8).map((piece, k) => [`${piece}${k}`, piece]))),
  'input, a list': (text) => called(pieces(text, 8)),
  'output, a string': (text) => brought(text),
  'output, a failure': (text) => brought(text, true),
  'output, no failure': (text) => brought(text, false),
  'output behind an error': (text) => brought(`Error: it failed\n${text}`),
  'output, nested': (text) => brought({ result: { content: [{ type: 'text', text }] } }),
  'output, a key': (text) => brought({ [text]: text }),
  'output, many keys': (text) => brought(Object.fromEntries(pieces(text, 8).map((piece, k) => [`${piece}${k}`, k]))),
  'output, a list': (text) => brought(pieces(text, 8)),
  'many calls': (text) =>
    pieces(text, 80).flatMap((piece, k): AgentEvent[] => [
      { type: 'tool-call', id: `${k}`, tool: 'run_shell_command', input: { command: piece } },
      { type: 'tool-result', id: `${k}`, output: piece },
    ]),
  'many different calls': (text) =>
    pieces(text, 80).flatMap((piece, k): AgentEvent[] => [
      { type: 'tool-call', id: `${k}`, tool: 'run_shell_command', input: { command: `${piece} ${k}` } },
      { type: 'tool-result', id: `${k}`, output: `${piece} ${k * 31}`, failed: k % 3 === 0 },
    ]),
  'many calls without results': (text) =>
    pieces(text, 40).map((piece, k) => ({ type: 'tool-call', id: `${k}`, tool: 'look', input: piece })),
  lane: (text) => [{ type: 'text', text: 'a', lane: text }, ...called({}).map((event) => ({ ...event, lane: text }))],
  'many lanes': (text) => pieces(text, 80).map((piece, k) => ({ type: 'text', text: piece, lane: `${piece}${k}` })),
  steer: (text) => [{ type: 'steer', text }],
  opinion: (text) => [{ type: 'opinion', by: 'judge', confidence: 0.9, analysis: text }],
  'name of a judge': (text) => [{ type: 'opinion', by: text, confidence: 0.9, analysis: 'It repeats itself.' }],
  'reason of an end': (text) => [{ type: 'turn-end', reason: text }],
};

function pieces(text: string, length: number): string[] {
  const cut: string[] = [];
  for (let from = 0; from < text.length; from += length) cut.push(text.slice(from, from + length));
  return cut;
}

/** Measures one subject with one text in one place; a cell that looks slow is measured again, up to `retries` times. */
export function measureLinear(
  subject: LinearSubject,
  place: string,
  unit: string,
  { most = 4, rounds = 1, retries = 8 } = {},
): LinearCell {
  const [shortEvents, longEvents] = [shortLength, longLength].map((length) =>
    linearPlaces[place]!(textOf(unit, length)),
  );
  let short = Number.POSITIVE_INFINITY;
  let long = Number.POSITIVE_INFINITY;
  let timesLinear = 0;
  for (let trial = 0; trial <= retries; trial++) {
    for (let round = 0; round < rounds; round++) {
      short = Math.min(short, timeOf(subject, shortEvents!));
      long = Math.min(long, timeOf(subject, longEvents!));
    }
    timesLinear = long / Math.max(short, leastTime) / (longLength / shortLength);
    if (timesLinear <= most) break;
  }
  return { subject: subject.name, place, unit, short, long, timesLinear };
}

/** Processor time, not wall time: other work of a busy machine is not counted. */
function timeOf(subject: LinearSubject, events: readonly AgentEvent[]): number {
  const observe = subject.start();
  const before = process.cpuUsage();
  for (const event of events) observe(event);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** Whether any event of a place reaches the subject. */
export function reaches(subject: LinearSubject, place: string): boolean {
  return subject.reads === undefined || linearPlaces[place]!('a').some(({ type }) => subject.reads!.has(type));
}
