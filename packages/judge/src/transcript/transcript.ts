import { type AgentEvent, type EventOf, eventProblem, type Json } from 'loopfuse';
import { jsonOf } from 'loopfuse/words';
import { requireInteger } from '../options.js';
import { type Excerpt, excerptOf, extend, isExcerpt } from './excerpt.js';

export interface TranscriptOptions {
  /** How many entries are kept, the latest ones. */
  readonly entries?: number;
  /** How long the record for the judge may be, in characters (see `renderRecord`). */
  readonly characters?: number;
}

/** What a judge may see of a session. A call and its result are one entry, so that they stay together. */
export type Entry =
  | { readonly type: 'user' | 'text' | 'reasoning' | 'steer'; readonly text: Excerpt }
  | CallEntry
  | { readonly type: 'compaction' };

export interface CallEntry {
  readonly type: 'call';
  readonly id: string;
  readonly tool: string;
  /** As JSON. */
  readonly input: Excerpt;
  /** Null if none came. */
  output: Excerpt | null;
  failed: boolean;
}

/** Records what happens in a session, as far as it is useful to a judge, in bounded memory. */
export interface Transcript {
  /** The latest request of the user, if its words are known. */
  readonly request: Excerpt | null;
  /** How many entries are no longer kept. */
  readonly forgotten: number;
  /** The latest entries, oldest first, without calls at the end whose results are still to come. */
  readonly entries: readonly Entry[];
  /** Total: what is not an event is skipped. */
  observe(event: AgentEvent): void;
  /** Plain JSON, from which `resumeTranscript` goes on. */
  snapshot(): Json;
}

export const defaultCharacters = 24_000;
const longestName = 100;

export function createTranscript(options: TranscriptOptions = {}): Transcript {
  return startTranscript(options);
}

/** Goes on from a snapshot. Throws if it is not valid. */
export function resumeTranscript(options: TranscriptOptions, snapshot: unknown): Transcript {
  return startTranscript(options, { snapshot });
}

/** How many characters of one text are kept: even if each takes six in JSON, the latest entry fits into the record. */
export function longestText(characters: number): number {
  return Math.floor(characters / 24);
}

function startTranscript(
  { entries: most = 40, characters = defaultCharacters }: TranscriptOptions,
  saved?: { readonly snapshot: unknown },
): Transcript {
  requireInteger('createTranscript: entries', most, 1);
  requireInteger('createTranscript: characters', characters, 4000);
  const longest = longestText(characters);
  let { request, entries, forgotten, settled }: State = saved
    ? loadState(saved.snapshot, most, longest)
    : { request: null, entries: [], forgotten: 0, settled: 0 };

  function push(entry: Entry): void {
    entries.push(entry);
    if (entries.length <= most) return;
    entries.shift();
    forgotten++;
    settled = Math.max(0, settled - 1);
  }

  function say(type: 'text' | 'reasoning', text: string): void {
    const latest = entries.length > settled ? entries[entries.length - 1] : undefined;
    if (latest?.type === type) extend(latest.text, text, longest);
    else if (text !== '') push({ type, text: excerptOf(text, longest) });
  }

  /** In some logs results have no id: such a result belongs to the oldest open call of the turn. */
  function answer({ id, output, failed }: EventOf<'tool-result'>): void {
    const call = id === '' ? entries.slice(settled).find(isUnanswered) : entries.findLast(isUnansweredAs(shortId(id)));
    if (call?.type !== 'call') return;
    call.output = excerptOf(textOf(output), longest);
    call.failed = failed === true;
  }

  return {
    get request() {
      return request;
    },
    get forgotten() {
      return forgotten;
    },
    get entries() {
      let end = entries.length;
      while (end > settled && isUnanswered(entries[end - 1]!)) end--;
      return entries.slice(0, end);
    },
    observe(event) {
      if (eventProblem(event) !== undefined) return;
      switch (event.type) {
        case 'prompt':
          request = event.text === undefined || event.text === '' ? null : excerptOf(event.text, longest);
          if (request !== null) push({ type: 'user', text: request });
          settled = entries.length;
          return;
        case 'turn-start':
          settled = entries.length;
          return;
        case 'text':
        case 'reasoning':
          return say(event.type, event.text);
        case 'tool-call':
          return push({
            type: 'call',
            id: shortId(event.id),
            tool: event.tool.slice(0, longestName),
            input: excerptOf(shownJson(event.input), longest),
            output: null,
            failed: false,
          });
        case 'tool-result':
          return answer(event);
        case 'steer':
          return push({ type: 'steer', text: excerptOf(event.text, longest) });
        case 'compaction':
          return push({ type: 'compaction' });
        case 'retry':
          entries.length = Math.min(entries.length, settled);
          return;
        case 'usage':
        case 'turn-end':
        case 'opinion':
          return;
      }
    },
    snapshot: () => structuredClone({ request, entries, forgotten, settled }) as unknown as Json,
  };
}

interface State {
  request: Excerpt | null;
  entries: Entry[];
  forgotten: number;
  /** How many of the entries are older than the turn under way. */
  settled: number;
}

function loadState(saved: unknown, most: number, longest: number): State {
  const { request, entries, forgotten, settled } = (saved ?? {}) as Partial<State>;
  if (request !== null && !isExcerpt(request, longest))
    throw new TypeError('transcript.request must be a text or null');
  if (!Array.isArray(entries) || entries.length > most || !entries.every((entry) => isEntry(entry, longest)))
    throw new TypeError('transcript.entries must be a list of entries');
  if (!Number.isSafeInteger(forgotten) || forgotten! < 0)
    throw new TypeError('transcript.forgotten must be a non-negative integer');
  if (!Number.isSafeInteger(settled) || settled! < 0 || settled! > entries.length)
    throw new TypeError('transcript.settled must be an integer from 0 to the number of entries');
  return { request, entries: structuredClone(entries), forgotten: forgotten!, settled: settled! };
}

function isEntry(value: unknown, longest: number): value is Entry {
  const entry = (value ?? {}) as Partial<Omit<CallEntry, 'type'>> & { type?: Entry['type']; text?: unknown };
  switch (entry.type) {
    case 'compaction':
      return true;
    case 'user':
    case 'text':
    case 'reasoning':
    case 'steer':
      return isExcerpt(entry.text, longest);
    case 'call':
      return (
        typeof entry.id === 'string' &&
        typeof entry.tool === 'string' &&
        entry.tool.length <= longestName &&
        isExcerpt(entry.input, longest) &&
        (entry.output === null || isExcerpt(entry.output, longest)) &&
        typeof entry.failed === 'boolean'
      );
    default:
      return false;
  }
}

function isUnanswered(entry: Entry): boolean {
  return entry.type === 'call' && entry.output === null;
}

function isUnansweredAs(id: string): (entry: Entry) => boolean {
  return (entry) => isUnanswered(entry) && (entry as CallEntry).id === id;
}

/** Ids distinguish calls, and some hosts make long ones. */
function shortId(id: string): string {
  return id.length <= longestName ? id : `${id.slice(0, longestName)}#${excerptPrint(id)}`;
}

function excerptPrint(text: string): string {
  const { length, print } = excerptOf(text, 0);
  return `${length}.${print}`;
}

function textOf(output: Json): string {
  return typeof output === 'string' ? output : shownJson(output);
}

/** A host may pass anything, even values that have no JSON. */
function shownJson(value: Json): string {
  return jsonOf(value) ?? '"(not shown: it is no JSON)"';
}
