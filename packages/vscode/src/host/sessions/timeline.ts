import type { AgentEvent, Json } from 'loopfuse';
import type { RecordedLoop } from './loops-in.js';
import type { Recording } from './recording.js';

/** A session as text with one line per event. */
export interface Timeline {
  readonly text: string;
  /** Zero-based line of the event with this index. */
  lineOf(seq: number): number;
}

/** The most characters of a text that are shown in a line. */
const most = 400;

export function timelineOf({ session, events }: Recording, loops: readonly RecordedLoop[]): Timeline {
  const { title, agent, model, id } = session;
  const head = [
    inOneLine(title ?? id),
    inOneLine([agent, model, `${events.length} events`].filter(Boolean).join(' · ')),
    ...loops.map(({ message, onset, until }) => `${span(onset, until)}: ${inOneLine(message)}`),
    '',
  ];
  const width = String(Math.max(0, events.length - 1)).length;
  const marks = marksOf(events.length, loops);
  const lines = events.map(
    (event, seq) => `${marks[seq]} ${String(seq).padStart(width)}  ${laneOf(event)}${inWords(event)}`,
  );
  return { text: [...head, ...lines, ''].join('\n'), lineOf: (seq) => head.length + seq };
}

/** A mark for each event that shows where loops begin and end without colours. Linear in events and loops. */
function marksOf(length: number, loops: readonly RecordedLoop[]): readonly string[] {
  const endOf = new Map<number, number>(); // of the longest loop, by onset
  for (const { onset, until } of loops) endOf.set(onset, Math.max(until, endOf.get(onset) ?? until));
  let reach = -1;
  return Array.from({ length }, (_, seq) => {
    const end = endOf.get(seq);
    reach = Math.max(reach, end ?? -1);
    return end !== undefined ? '▶' : seq <= reach ? '┃' : ' ';
  });
}

function laneOf({ lane }: AgentEvent): string {
  return lane === undefined ? '' : `[${inOneLine(lane)}] `;
}

function inWords(event: AgentEvent): string {
  switch (event.type) {
    case 'prompt':
      return `user: ${inOneLine(event.text ?? '')}`;
    case 'turn-start':
      return 'turn begins';
    case 'text':
      return `says: ${inOneLine(event.text)}`;
    case 'reasoning':
      return `thinks: ${inOneLine(event.text)}`;
    case 'tool-call':
      return `calls ${inOneLine(event.tool)} ${brief(event.input)}`;
    case 'tool-result':
      return `${event.failed ? 'fails' : 'gets'}: ${brief(event.output)}`;
    case 'usage':
      return `used ${event.inputTokens} tokens in, ${event.outputTokens} out`;
    case 'turn-end':
      return event.reason === undefined ? 'turn ends' : `turn ends: ${inOneLine(event.reason)}`;
    case 'retry':
      return 'the turn is tried again';
    case 'compaction':
      return 'the history was summarised';
    case 'steer':
      return `guard: ${inOneLine(event.text)}`;
    case 'opinion':
      return `${inOneLine(event.by)} judges (${event.confidence}): ${inOneLine(event.analysis)}`;
  }
}

function brief(value: Json): string {
  return inOneLine(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));
}

function span(onset: number, until: number): string {
  return onset === until ? `Event ${onset}` : `Events ${onset} to ${until}`;
}

/** Replaces every kind of line break that an editor knows, because each event must stay on one line. */
function inOneLine(text: string): string {
  const short = text.length > most ? `${text.slice(0, most)}…` : text;
  return short.replace(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/g, '⏎').replace(/[\0-\x1f\x7f]/g, ' ');
}
