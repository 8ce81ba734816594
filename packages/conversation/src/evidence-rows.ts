import type { Finding } from 'loopfuse';
import { grouped } from 'loopfuse/words';

/** One thing that repeated, as a row of a table. Empty where a detector does not say. */
export interface EvidenceRow {
  readonly what: string;
  /** How many times. */
  readonly times: string;
  readonly where: string;
  /** The detector and its confidence. */
  readonly by: string;
}

/** Each thing that is longer is cut. */
const longest = 300;

/**
 * What detectors found, for users: what repeated, how many times, and where. Knows the fields that our detectors use in
 * their evidence. Other fields are shown by their names.
 */
export function evidenceRows(findings: readonly Finding[]): readonly EvidenceRow[] {
  return findings.flatMap(({ detector, confidence, onset, seq, evidence }) => {
    const facts = isObject(evidence) ? evidence : { evidence };
    const by = `${detector}, ${Math.round(confidence * 100)}% sure`;
    const events = onset === seq ? `event ${seq}` : `events ${onset} to ${seq}`;
    return thingsIn(facts).map((what) => ({
      what: cut(what),
      times: timesIn(facts),
      where: placeIn(facts, events),
      by,
    }));
  });
}

type Facts = { readonly [name: string]: unknown };

/** What repeated: a call for each member of a cycle, or one thing. */
function thingsIn(facts: Facts): readonly string[] {
  const { cycle, tool, unit, message, analysis, measure, stale, type } = facts;
  if (Array.isArray(cycle) && cycle.length > 0 && type !== 'undone')
    return cycle.map((one) => withNotes(callIn(isObject(one) ? one : {}), cycle.length === 1 ? facts : {}));
  if (typeof tool === 'string') return [withNotes(callIn(facts), facts)];
  if (typeof unit === 'string') return [`“${unit}”`];
  if (typeof message === 'string') return [`“${message}”`];
  if (typeof analysis === 'string') return [analysis];
  if (typeof measure === 'string') return [`${numberIn(facts.spent)} of ${numberIn(facts.cap)} ${measure} used`];
  if (typeof stale === 'number') return [`${numberIn(stale)} of ${numberIn(facts.characters)} characters said before`];
  return [
    Object.entries(facts)
      .filter(([name]) => name !== 'times')
      .map(inWords)
      .join(', '),
  ];
}

function callIn({ tool, about }: Facts): string {
  return [tool, about].filter((part) => typeof part === 'string' && part !== '').join(' ');
}

function withNotes(call: string, { error, unseen, empty, type }: Facts): string {
  const notes = [
    ...(typeof error === 'string' ? [`failed with “${error}”`] : []),
    ...(unseen === true ? ['its result was not seen'] : []),
    ...(empty === true ? ['found nothing'] : []),
    ...(type === 'undone' ? ['undone in between'] : []),
  ];
  return notes.length === 0 ? call : `${call}: ${notes.join(', ')}`;
}

function timesIn({ times, repeats }: Facts): string {
  return numberIn(times ?? repeats);
}

function placeIn({ channel, at, by }: Facts, events: string): string {
  const text = typeof channel === 'string' ? `${channel}, ` : '';
  const from = typeof at === 'number' && typeof channel === 'string' ? `from character ${grouped(at)}, ` : '';
  return typeof by === 'string' && by !== '' ? `${events}, read by ${by}` : `${text}${from}${events}`;
}

function numberIn(value: unknown): string {
  return typeof value === 'number' ? grouped(Math.round(value * 100) / 100) : '';
}

function inWords([name, value]: readonly [string, unknown]): string {
  return `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`;
}

function cut(text: string): string {
  return text.length <= longest ? text : `${text.slice(0, longest).replace(/[\ud800-\udbff]$/, '')}…`;
}

function isObject(value: unknown): value is Facts {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
