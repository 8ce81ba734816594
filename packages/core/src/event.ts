/** Any JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/**
 * What happens in a session of an agent, one event at a time. The engine knows nothing but these events. Hosts make
 * them from their SDK, gateways from the wire, scanners from a log.
 */
export type AgentEvent = Stamp &
  (
    | { type: 'prompt'; id?: string; text?: string } // a new request of the user
    | { type: 'turn-start' } // the model is about to be asked
    | { type: 'text'; text: string } // a delta of visible text, cut anywhere
    | { type: 'reasoning'; text: string } // a delta of thinking, cut anywhere
    | { type: 'tool-call'; id: string; tool: string; input: Json }
    | { type: 'tool-result'; id: string; output: Json; failed?: boolean }
    | ({ type: 'usage'; inputTokens: number; outputTokens: number; cost?: number } & CachedInput)
    | { type: 'turn-end'; reason?: string }
    | { type: 'retry' } // the attempt since the last turn-start is repeated
    | { type: 'compaction' } // the history was summarised
    | { type: 'steer'; text: string } // a message of ours to the model; never evidence
    | { type: 'opinion'; by: string; confidence: number; analysis: string } // a judge's view
  );

/** Parts of the input that have their own prices. */
interface CachedInput {
  /** Came from the provider's cache. */
  cachedTokens?: number;
  /** Was written to it; and the part of that which is kept for an hour instead of minutes. */
  cacheWriteTokens?: number;
  longCacheWriteTokens?: number;
}

interface Stamp {
  /** Milliseconds since the epoch, if the host knows the time. */
  at?: number;
  /** The id of a sub-agent. Each lane is watched on its own. */
  lane?: string;
}

/** The types of events. */
export type EventType = AgentEvent['type'];
/** The event of one type. */
export type EventOf<Type extends EventType> = Extract<AgentEvent, { type: Type }>;

type FieldTypes = Readonly<Record<string, 'string' | 'number' | 'boolean'>>;

/** The types of the fields of an event; fields with a question mark may be missing. */
const shapes: { readonly [Type in EventType]: FieldTypes } = {
  prompt: { 'id?': 'string', 'text?': 'string' },
  'turn-start': {},
  text: { text: 'string' },
  reasoning: { text: 'string' },
  'tool-call': { id: 'string', tool: 'string' },
  'tool-result': { id: 'string', 'failed?': 'boolean' },
  usage: {
    inputTokens: 'number',
    outputTokens: 'number',
    'cachedTokens?': 'number',
    'cacheWriteTokens?': 'number',
    'longCacheWriteTokens?': 'number',
    'cost?': 'number',
  },
  'turn-end': { 'reason?': 'string' },
  retry: {},
  compaction: {},
  steer: { text: 'string' },
  opinion: { by: 'string', confidence: 'number', analysis: 'string' },
};
const stamp: FieldTypes = { 'at?': 'number', 'lane?': 'string' };

/** The names of all types of events. */
export const eventTypes = Object.keys(shapes) as readonly EventType[];

/** Whether a value is the name of a type of event. */
export function isEventType(value: unknown): value is EventType {
  return typeof value === 'string' && Object.hasOwn(shapes, value);
}

/** What is wrong with a value that should be an event, in words; `undefined` if nothing is wrong. */
export function eventProblem(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'an event must be an object';
  const event = value as Record<string, unknown>;
  return isPlainlySound(event) ? undefined : slowProblem(event);
}

/** Checks the most frequent events without a loop over tables. */
function isPlainlySound(event: Record<string, unknown>): boolean {
  const { type, at, lane } = event;
  if ((at !== undefined && typeof at !== 'number') || !isTextIfGiven(lane)) return false;
  switch (type) {
    case 'text':
    case 'reasoning':
      return typeof event.text === 'string';
    case 'tool-call':
      return typeof event.id === 'string' && typeof event.tool === 'string';
    case 'tool-result':
      return typeof event.id === 'string' && (event.failed === undefined || typeof event.failed === 'boolean');
    case 'turn-start':
    case 'compaction':
    case 'retry':
      return true;
    case 'usage':
      return (
        typeof event.inputTokens === 'number' &&
        typeof event.outputTokens === 'number' &&
        isNumberIfGiven(event.cachedTokens) &&
        isNumberIfGiven(event.cacheWriteTokens) &&
        isNumberIfGiven(event.longCacheWriteTokens) &&
        isNumberIfGiven(event.cost)
      );
    case 'turn-end':
      return isTextIfGiven(event.reason);
    case 'prompt':
      return isTextIfGiven(event.id) && isTextIfGiven(event.text);
    default:
      return false;
  }
}

function isNumberIfGiven(value: unknown): boolean {
  return value === undefined || typeof value === 'number';
}

function isTextIfGiven(value: unknown): boolean {
  return value === undefined || typeof value === 'string';
}

function slowProblem(event: Record<string, unknown>): string | undefined {
  const { type } = event;
  if (type === undefined) return 'an event must have a "type"';
  if (!isEventType(type)) return `unknown event type ${quote(type)}`;
  for (const [name, wanted] of Object.entries({ ...shapes[type], ...stamp })) {
    const key = name.replace('?', '');
    const found = event[key];
    if (typeof found === wanted || (found === undefined && key !== name)) continue;
    return `"${key}" of a ${type} event must be a ${wanted}, ${found === undefined ? 'and is missing' : `not ${quote(found)}`}`;
  }
  return undefined;
}

function quote(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value);
  return value === null ? 'null' : Array.isArray(value) ? 'an array' : typeof value;
}
