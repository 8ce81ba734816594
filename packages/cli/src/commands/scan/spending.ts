import type { AgentEvent } from 'loopfuse';

/** What a stretch of a session used, as far as its log tells. */
export interface Spent {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** The part of the input that came from the provider's cache. */
  readonly cachedTokens: number;
  /** In dollars, as the log itself says; undefined where it names none for some of the tokens. */
  readonly cost?: number;
  /** Undefined where the events carry no times. */
  readonly minutes?: number;
}

/** What the lanes of one session have used so far, of a bounded size. */
export interface Spending {
  observe(event: AgentEvent, seq: number): void;
  /** From the event `onset` of a lane up to now. */
  since(onset: number, lane?: string): Spent;
}

/** The state before the event `seq`. */
interface Mark {
  seq: number;
  input: number;
  output: number;
  cached: number;
  cost: number;
  /** Tokens for which the log names no cost. */
  unpriced: number;
  at: number | undefined;
  /** A loop began here: it may be asked about again. */
  asked?: true;
}

const maxMarks = 1024;
/** Of the marks of loops, so many at most outlive a thinning that their place would not. */
const maxAsked = 128;

export function createSpending(): Spending {
  const lanes = new Map<string, { now: Mark; marks: Mark[] }>();
  return {
    observe(event, seq) {
      const name = event.lane ?? '';
      let lane = lanes.get(name);
      if (lane === undefined) {
        lane = { now: { seq: 0, input: 0, output: 0, cached: 0, cost: 0, unpriced: 0, at: undefined }, marks: [] };
        lanes.set(name, lane);
      }
      const { now, marks } = lane;
      if (typeof event.at === 'number') now.at = event.at;
      const last = marks[marks.length - 1];
      if (last === undefined || last.at !== now.at || last.input + last.output !== now.input + now.output) {
        if (marks.length >= maxMarks) thin(marks);
        const { input, output, cached, cost, unpriced, at } = now;
        marks.push({ seq, input, output, cached, cost, unpriced, at });
      }
      if (event.type !== 'usage') return;
      const input = tokens(event.inputTokens);
      const output = tokens(event.outputTokens);
      now.input += input;
      now.output += output;
      now.cached += Math.min(tokens(event.cachedTokens), input);
      if (event.cost === undefined) now.unpriced += input + output;
      else now.cost += tokens(event.cost);
    },
    since(onset, name = '') {
      const lane = lanes.get(name);
      if (lane === undefined) return { inputTokens: 0, outputTokens: 0, cachedTokens: 0 };
      const { now, marks } = lane;
      const from = marks.findLast(({ seq }) => seq <= onset) ?? marks[0]!;
      from.asked = true;
      const isPriced = now.unpriced === from.unpriced && now.cost > from.cost;
      return {
        inputTokens: now.input - from.input,
        outputTokens: now.output - from.output,
        cachedTokens: now.cached - from.cached,
        ...(isPriced ? { cost: now.cost - from.cost } : {}),
        ...(now.at !== undefined && from.at !== undefined ? { minutes: Math.max(0, now.at - from.at) / 60_000 } : {}),
      };
    },
  };
}

/** Drops every second mark of the older half: the past grows coarser, the present and the loops' beginnings stay exact. */
function thin(marks: Mark[]): void {
  const half = marks.length >> 1;
  let asked = 0;
  const older = marks.slice(0, half).filter((mark, k) => k % 2 === 0 || (mark.asked === true && ++asked <= maxAsked));
  marks.splice(0, half, ...older);
}

function tokens(reported: number | undefined): number {
  return reported !== undefined && reported > 0 && reported < 1e12 ? reported : 0;
}
