import type { AgentEvent } from 'loopfuse';

/** What a loop is charged with, recomputed from all events of its session at once, without regard for speed or memory. */
export interface NaiveWaste {
  readonly calls: number;
  readonly characters: number;
  readonly tokens: number;
  readonly minutes: number | undefined;
}

/** A loop's own words about where it lies. */
export interface NaiveSpan {
  readonly onset: number;
  readonly until: number;
  readonly lane?: string | undefined;
}

/** For each span what it holds and no span before it holds. Spans are in the order of their onsets. */
export function naiveWastes(events: readonly AgentEvent[], spans: readonly NaiveSpan[]): NaiveWaste[] {
  const takenEvents = new Set<number>();
  const takenTurns = new Set<string>();
  const takenUntil = new Map<string, number>();
  return spans.map(({ onset, until, lane }) => {
    const turns = turnsOf(events, lane);
    let calls = 0;
    let characters = 0;
    let tokens = 0;
    for (let seq = onset; seq <= until; seq++) {
      const event = events[seq]!;
      if (event.lane !== lane || takenEvents.has(seq)) continue;
      takenEvents.add(seq);
      if (event.type === 'tool-call') calls++;
      if (event.type === 'text' || event.type === 'reasoning') characters += event.text.length;
    }
    const touched = new Set(turns.filter((turn, seq) => turn !== undefined && seq >= onset && seq <= until));
    events.forEach((event, seq) => {
      if (event.type !== 'usage' || event.lane !== lane || !touched.has(turns[seq])) return;
      const key = `${lane} usage ${seq}`;
      if (takenTurns.has(key)) return;
      takenTurns.add(key);
      tokens += event.inputTokens + event.outputTokens;
    });
    const from = Math.max(timeAt(events, onset, lane) ?? Number.NaN, takenUntil.get(lane ?? '') ?? 0);
    const to = timeAt(events, until, lane);
    const minutes = to === undefined || Number.isNaN(from) ? undefined : Math.max(0, to - from) / 60_000;
    if (to !== undefined) takenUntil.set(lane ?? '', Math.max(to, takenUntil.get(lane ?? '') ?? 0));
    return { calls, characters, tokens, minutes };
  });
}

/** The number of the turn of each event of a lane: a turn begins where the model is asked, as far as that can be seen. */
function turnsOf(events: readonly AgentEvent[], lane: string | undefined): (number | undefined)[] {
  let turn = 0;
  let acted = false;
  let over = false;
  return events.map((event) => {
    if (event.lane !== lane) return undefined;
    const acts = event.type === 'text' || event.type === 'reasoning' || event.type === 'tool-call';
    if (event.type === 'turn-start' || event.type === 'prompt' || (acts && over)) {
      turn++;
      acted = false;
      over = false;
    }
    if (acts) acted = true;
    if (event.type === 'tool-result' || event.type === 'turn-end' || (event.type === 'usage' && acted)) over = true;
    return turn;
  });
}

/** The time of the last event of the lane, up to `seq`, that carries one. */
function timeAt(events: readonly AgentEvent[], seq: number, lane: string | undefined): number | undefined {
  return events.slice(0, seq + 1).findLast((event) => event.lane === lane && event.at !== undefined)?.at;
}
