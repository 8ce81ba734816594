import { historyEvents, type Message, type Note, type RequestView } from '@loopfuse/wire';
import type { AgentEvent } from 'loopfuse';
import { prefixPrints } from './prints.js';

/** One line of work within a session, recognised by its history. Plain data. */
export interface Lane {
  /** Undefined for the main lane. */
  readonly name?: string;
  /** Fingerprint of the system prompt. */
  readonly system: number;
  /** The history of the last request: how many messages it had, and their fingerprint. */
  units: number;
  print: number;
  /** Fingerprint of the first message. */
  first: number;
  /** Whether the last request got a complete answer. */
  answered: boolean;
  /** Calls of the last answer, whose results are expected. */
  pending: { readonly id: string; readonly tool: string }[];
  /** Our messages, at their places in the history. */
  notes: Note[];
  /** Our message for the next request. */
  next?: string;
}

/** A request that has arrived. */
export interface Arriving {
  readonly view: RequestView;
  /** Fingerprint of the system prompt. */
  readonly system: number;
  /** The agent within the session, if the request names one. */
  readonly agent: string;
  /** Whether the request names its session. */
  readonly named: boolean;
}

export interface Arrival {
  readonly lane: Lane;
  /** What is new in the request, as events of the lane. */
  readonly events: readonly AgentEvent[];
}

const maxLanes = 32;
const maxNotes = 16;

/**
 * Finds the lane that a request belongs to, or opens one, and returns what is new in it. Requests repeat the history:
 *
 *     P A R A R        what the lane knew at its last request
 *     P A R A R A R    grown: the answer, which was watched as it arrived, then what is new
 *     P A R A R        the same again: a retry
 *     S A R            begins differently: it was summarised (compaction); only what follows the last answer is new
 *     Q                another beginning of the main agent: a new conversation; everything before it is forgotten
 *     …R               goes on from an answer that the provider keeps: all is new, and it keeps our notes too
 */
export function arrive(lanes: Lane[], request: Arriving): Arrival {
  const { system, agent, named } = request;
  const { messages } = request.view;
  const prints = prefixPrints(messages);
  const first = prints[1] ?? 0;
  const wordless = request.view.tools.length > 0;
  const eventsOf = (some: readonly Message[]) => historyEvents(some, { wordless });
  const begins = !messages.some(({ role }) => role === 'assistant');
  const known = lanes.filter((lane) => lane.system === system && (lane.name ?? '') === (agent || (lane.name ?? '')));
  const grown = known
    .filter(({ units, print }) => units <= messages.length && prints[units] === print)
    .sort((a, b) => b.units - a.units)[0];
  if (grown !== undefined && grown.units < messages.length)
    return arrived(grown, eventsOf(withNames(afterAnswer(messages.slice(grown.units)), grown)), messages, prints);
  // If the session has no name, the same beginning after an answer is a new conversation.
  if (grown !== undefined && (named || !begins || !grown.answered))
    return arrived(grown, [{ type: 'retry' }], messages, prints);
  const lane = known.find((one) => one.first === first) ?? known.find(({ name }) => name === undefined);
  if (lane !== undefined && request.view.follows !== undefined) {
    lane.notes = [];
    return arrived(lane, eventsOf(withNames(sinceAnswer(messages), lane)), messages, prints);
  }
  if (lane !== undefined && !begins) {
    const summarised = lane.first !== first || messages.length < lane.units;
    const events = eventsOf(withNames(sinceAnswer(messages), lane));
    if (!summarised) return arrived(lane, events, messages, prints);
    Object.assign(lane, { first, notes: [] });
    return arrived(lane, [{ type: 'compaction' }, ...events], messages, prints);
  }
  if (lane === undefined || lane.name !== undefined)
    return arrived(openLane(lanes, system, agent, first), eventsOf(sincePrompt(messages, wordless)), messages, prints);
  Object.assign(lane, { first, notes: [], pending: [] });
  delete lane.next;
  return arrived(lane, eventsOf(messages), messages, prints);
}

/** Adds a note for the model at the end of this request, and at the same place in all that follow. */
export function note(lane: Lane, at: number, text: string): void {
  lane.notes.push({ at, text });
  if (lane.notes.length > maxNotes) lane.notes.shift();
}

function arrived(
  lane: Lane,
  events: readonly AgentEvent[],
  messages: readonly Message[],
  prints: readonly number[],
): Arrival {
  lane.units = messages.length;
  lane.print = prints[messages.length]!;
  lane.answered = false;
  if (events.some(({ type }) => type === 'tool-result')) lane.pending = [];
  const { name } = lane;
  return { lane, events: name === undefined ? events : events.map((event) => ({ ...event, lane: name })) };
}

function openLane(lanes: Lane[], system: number, agent: string, first: number): Lane {
  const main = lanes.length === 0 && agent === '';
  const name = main ? {} : { name: agent || `lane-${first.toString(36)}` };
  const lane: Lane = { ...name, system, units: 0, print: 0, first, answered: false, pending: [], notes: [] };
  lanes.push(lane);
  if (lanes.length > maxLanes) lanes.splice(1, 1);
  return lane;
}

/** What follows the answer to the last request: that answer was watched as it arrived. */
function afterAnswer(fresh: readonly Message[]): readonly Message[] {
  const from = fresh.findIndex(({ role }) => role !== 'assistant');
  return from < 0 ? [] : fresh.slice(from);
}

function sinceAnswer(messages: readonly Message[]): readonly Message[] {
  return messages.slice(messages.findLastIndex(({ role }) => role === 'assistant') + 1);
}

/** For a session that was not watched from its beginning: what belongs to the current request of the user. */
function sincePrompt(messages: readonly Message[], wordless: boolean): readonly Message[] {
  const from = messages.findLastIndex(
    (message, index) =>
      message.role === 'user' &&
      messages[index - 1]?.role !== 'tool' &&
      (message.wordless ? wordless : message.text !== ''),
  );
  return messages.slice(Math.max(0, from));
}

/** Results of calls that had no id are matched by their tool, in order. */
function withNames(messages: readonly Message[], { pending }: Lane): readonly Message[] {
  const open = pending.slice();
  return messages.map((message) => ({
    ...message,
    results: message.results.map((result) => {
      let place = open.findIndex(({ id }) => id === result.id);
      if (place < 0) place = open.findIndex(({ tool }) => tool === result.tool);
      const [call] = place < 0 ? [] : open.splice(place, 1);
      return call === undefined ? result : { ...result, id: call.id };
    }),
  }));
}
