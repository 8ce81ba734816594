import type { AgentEvent } from 'loopfuse';
import { changes } from './changes.js';

/** A way to turn work into a loop: from some step on, its last `steps` calls are repeated. */
export interface Graft {
  readonly name: string;
  readonly steps: number;
  /** Changes an event in repetition `round`. */
  alter?(event: AgentEvent, round: number): AgentEvent;
  /** Changes the whole session afterwards. */
  apply?(events: readonly AgentEvent[]): AgentEvent[];
}

export const grafts: readonly Graft[] = [
  { name: 'one call', steps: 1 },
  { name: 'two calls in turn', steps: 2 },
  { name: 'three calls in turn', steps: 3 },
  { name: 'five calls in turn', steps: 5 },
  {
    name: 'one call, with a clock in the results',
    steps: 1,
    apply: changeNamed('a clock and a request id around results'),
  },
  { name: 'two calls in turn, after other words', steps: 2, alter: withOtherWords },
];

/** A session with a loop: its round has `length` events, and is repeated from event `from` on. */
export interface Grafted {
  readonly events: readonly AgentEvent[];
  readonly from: number;
  readonly length: number;
}

/**
 * Repeats a round of a session `rounds` times. `choose` picks one of `count` places. Undefined if the place does not
 * fit, because calls of the round overlap with others, or there is a prompt in between.
 */
export function grafted(
  events: readonly AgentEvent[],
  { steps, alter = (event) => event, apply = (all) => [...all] }: Graft,
  rounds: number,
  choose: (count: number) => number,
): Grafted | undefined {
  const results = events.flatMap(({ type }, seq) => (type === 'tool-result' ? [seq] : []));
  if (results.length <= steps) return undefined;
  const last = steps + choose(results.length - steps);
  const from = results[last]! + 1;
  const round = events.slice(results[last - steps]! + 1, from);
  if (!isWhole(round, steps)) return undefined;
  const again = Array.from({ length: rounds }, (_, k) => round.map((event) => alter(renamed(event, k + 1), k + 1)));
  return { events: apply([...events.slice(0, from), ...again.flat()]), from, length: round.length };
}

/** Whether a round has the result of each of its calls, and no other result. */
function isWhole(round: readonly AgentEvent[], steps: number): boolean {
  const ids = round.flatMap((event) => (event.type === 'tool-call' ? [event.id] : []));
  const answered = round.flatMap((event) => (event.type === 'tool-result' ? [event.id] : []));
  return (
    new Set(ids).size === steps &&
    answered.length === steps &&
    answered.every((id) => ids.includes(id)) &&
    round.every(({ type }) => type !== 'prompt')
  );
}

function renamed(event: AgentEvent, round: number): AgentEvent {
  return event.type === 'tool-call' || event.type === 'tool-result'
    ? { ...event, id: `${event.id} again ${round}` }
    : event;
}

function changeNamed(name: string) {
  return changes.find((change) => change.name === name)!.apply;
}

const topics = 'river engine window garden bridge ladder pocket summary village carrier ticket mirror'.split(' ');

function withOtherWords(event: AgentEvent, round: number): AgentEvent {
  if (event.type !== 'text' && event.type !== 'reasoning') return event;
  const topic = (k: number) => topics[(round * 7 + k) % topics.length]!;
  return { ...event, text: `The ${topic(0)} of the ${topic(3)} looks different now: check the ${topic(5)} once more.` };
}
