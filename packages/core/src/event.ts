/** Any JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/**
 * What happens in a session of an agent, one event at a time. Everything the engine knows it knows from these.
 * Hosts make them from their SDK, gateways from the wire, scanners from a log.
 */
export type AgentEvent = Stamp &
  (
    | { type: 'prompt'; id?: string; text?: string } // a new request of the user
    | { type: 'turn-start' } // the model is about to be asked
    | { type: 'text'; text: string } // a delta of visible text, cut anywhere
    | { type: 'reasoning'; text: string } // a delta of thinking, cut anywhere
    | { type: 'tool-call'; id: string; tool: string; input: Json }
    | { type: 'tool-result'; id: string; output: Json; failed?: boolean }
    | { type: 'usage'; inputTokens: number; outputTokens: number; cachedTokens?: number; cost?: number }
    | { type: 'turn-end'; reason?: string }
    | { type: 'retry' } // the attempt since the last turn-start is played again
    | { type: 'compaction' } // the history was summarised
    | { type: 'steer'; text: string } // a message of ours to the model; never evidence
    | { type: 'opinion'; by: string; confidence: number; analysis: string } // a judge's view
  );

interface Stamp {
  /** Milliseconds since the epoch, where the host knows them. */
  at?: number;
  /** The id of a sub-agent. Each lane is watched on its own. */
  lane?: string;
}

export type EventType = AgentEvent['type'];
export type EventOf<Type extends EventType> = Extract<AgentEvent, { type: Type }>;

const fields: { readonly [Type in EventType]: Readonly<Record<string, 'string' | 'number'>> } = {
  prompt: {},
  'turn-start': {},
  text: { text: 'string' },
  reasoning: { text: 'string' },
  'tool-call': { id: 'string', tool: 'string' },
  'tool-result': { id: 'string' },
  usage: { inputTokens: 'number', outputTokens: 'number' },
  'turn-end': {},
  retry: {},
  compaction: {},
  steer: { text: 'string' },
  opinion: { by: 'string', confidence: 'number', analysis: 'string' },
};

/** What is wrong with a value that should be an event, in words; `undefined` when nothing is. */
export function eventProblem(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'an event must be an object';
  const event = value as Record<string, unknown>;
  const type = event.type;
  if (typeof type !== 'string' || !Object.hasOwn(fields, type)) return `unknown event type ${quote(type)}`;
  const needs = fields[type as EventType];
  for (const key in needs) {
    if (typeof event[key] !== needs[key])
      return `"${key}" of a ${type} event must be a ${needs[key]}, not ${quote(event[key])}`;
  }
  if (event.lane !== undefined && typeof event.lane !== 'string') return '"lane" must be a string';
  return undefined;
}

function quote(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value);
  return value === null ? 'null' : Array.isArray(value) ? 'an array' : typeof value;
}
