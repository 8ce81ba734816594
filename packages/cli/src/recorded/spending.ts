import type { RecordedUsage } from '@loopfuse/formats';
import { type ModelTokens, type Spent as SpentTokens, tokensSince, withTokens } from '@loopfuse/prices';
import type { AgentEvent } from 'loopfuse';

/** What a stretch of a session used, as far as its log says. */
export interface Spent extends SpentTokens {
  readonly calls: number;
  /** Of text and reasoning. */
  readonly characters: number;
  /** In dollars, as the log itself says; undefined where it names none for some of the tokens. */
  readonly cost?: number;
  /** Undefined where the events carry no times. */
  readonly minutes?: number;
}

/**
 * What the lanes of a session have used. Calls, characters and time are counted event by event. Tokens belong to
 * requests: a log may report them before the calls of an answer, after them, or after their results. So a stretch is
 * charged with the tokens of every turn that it touches.
 */
export interface Spending {
  observe(event: AgentEvent, seq: number): void;
  /** The place before event `onset` of a lane. */
  before(onset: number, lane?: string): Place;
  /** The place behind the event of a lane that was observed last. Its tokens grow until its turn has ended. */
  here(lane?: string): Place;
  /** All lanes together. */
  total(): Spent;
}

/** A place between two events of a lane, with what the lane had used by then. */
export interface Place {
  readonly calls: number;
  readonly characters: number;
  readonly at: number | undefined;
  /** By the beginning of the turn, for a place where a stretch begins; by its end, for one where it ends. */
  readonly tokens: Tokens;
}

interface Tokens {
  input: number;
  output: number;
  cached: number;
  written: number;
  writtenLong: number;
  cost: number;
  /** Tokens for which the log names no cost. */
  unpriced: number;
  /** Those of all these tokens whose model the log names. */
  models: readonly ModelTokens[];
}

interface Mark extends Place {
  readonly seq: number;
}

interface Lane {
  calls: number;
  characters: number;
  firstAt: number | undefined;
  at: number | undefined;
  /** What was used by the end of the turn before, and by now: a new object for every turn. */
  before: Tokens;
  tokens: Tokens;
  /** The model has said or called something in this turn. */
  hasActed: boolean;
  /** An answer is over, so that the next thing that the model does is another turn, whether its log says so or not. */
  isOver: boolean;
  hasChanged: boolean;
  marks: Mark[];
}

/** More places than this, and the older ones are kept less closely. A loop asks for its beginning once, soon after it. */
const maxMarks = 1 << 16;

export function createSpending(): Spending {
  const lanes = new Map<string, Lane>();
  let latest: { readonly name: string; readonly lane: Lane } | undefined; // most events are of the lane of the one before

  function laneOf(name = ''): Lane {
    if (latest?.name === name) return latest.lane;
    let lane = lanes.get(name);
    if (lane === undefined) {
      const none = noTokens;
      const counts = { calls: 0, characters: 0, firstAt: undefined, at: undefined };
      lane = {
        ...counts,
        before: none,
        tokens: { ...none },
        hasActed: false,
        isOver: false,
        hasChanged: true,
        marks: [],
      };
      lanes.set(name, lane);
    }
    latest = { name, lane };
    return lane;
  }

  return {
    observe(event, seq) {
      const lane = laneOf(event.lane);
      if (beginsTurn(event, lane)) {
        lane.before = lane.tokens;
        lane.tokens = { ...lane.tokens };
        lane.hasActed = false;
        lane.isOver = false;
        lane.hasChanged = true;
      }
      if (typeof event.at === 'number' && event.at !== lane.at) {
        lane.at = event.at;
        lane.firstAt ??= event.at;
        lane.hasChanged = true;
      }
      if (lane.hasChanged) {
        lane.hasChanged = false;
        const { marks, calls, characters, at, before } = lane;
        if (marks.length >= maxMarks) thin(marks);
        marks.push({ seq, calls, characters, at, tokens: before });
      }
      count(event, lane);
    },
    before(onset, name) {
      const { marks, before } = laneOf(name);
      let low = 0;
      let high = marks.length - 1;
      while (low < high) {
        const middle = (low + high + 1) >> 1;
        if (marks[middle]!.seq <= onset) low = middle;
        else high = middle - 1;
      }
      return marks[low] ?? { calls: 0, characters: 0, at: undefined, tokens: before };
    },
    here(name) {
      const { calls, characters, at, tokens } = laneOf(name);
      return { calls, characters, at, tokens };
    },
    total() {
      const none = { calls: 0, characters: 0, tokens: noTokens };
      let first: number | undefined;
      let last: number | undefined;
      const tokens: Tokens = { ...none.tokens };
      let calls = 0;
      let characters = 0;
      for (const lane of lanes.values()) {
        calls += lane.calls;
        characters += lane.characters;
        for (const key of tokenKeys) tokens[key] += lane.tokens[key];
        for (const { model, ...used } of lane.tokens.models) tokens.models = withTokens(tokens.models, model, used);
        first = least(first, lane.firstAt);
        last = most(last, lane.at);
      }
      return spentBetween({ ...none, at: first }, { calls, characters, at: last, tokens });
    },
  };
}

const noCounts = {
  ...{ input: 0, output: 0, cached: 0, written: 0, writtenLong: 0 },
  ...{ cost: 0, unpriced: 0 },
};
const tokenKeys = Object.keys(noCounts) as readonly (keyof typeof noCounts)[];
const noTokens: Readonly<Tokens> = { ...noCounts, models: [] };

/** What was used from one place to another of the same lane; nothing where the second comes first. */
export function spentBetween(from: Place, to: Place): Spent {
  const cost = to.tokens.cost - from.tokens.cost;
  const isPriced = cost > 0 && to.tokens.unpriced === from.tokens.unpriced;
  const written = to.tokens.written - from.tokens.written;
  const writtenLong = to.tokens.writtenLong - from.tokens.writtenLong;
  const models = tokensSince(from.tokens.models, to.tokens.models);
  return {
    calls: Math.max(0, to.calls - from.calls),
    characters: Math.max(0, to.characters - from.characters),
    inputTokens: Math.max(0, to.tokens.input - from.tokens.input),
    outputTokens: Math.max(0, to.tokens.output - from.tokens.output),
    cachedTokens: Math.max(0, to.tokens.cached - from.tokens.cached),
    ...(written > 0 ? { cacheWriteTokens: written } : {}),
    ...(writtenLong > 0 ? { longCacheWriteTokens: writtenLong } : {}),
    ...(isPriced ? { cost } : {}),
    ...(models.length > 0 ? { models } : {}),
    ...(to.at !== undefined && from.at !== undefined ? { minutes: Math.max(0, to.at - from.at) / 60_000 } : {}),
  };
}

/** The later of two places of a lane, count by count. */
export function laterOf(a: Place, b: Place): Place {
  return {
    calls: Math.max(a.calls, b.calls),
    characters: Math.max(a.characters, b.characters),
    at: most(a.at, b.at),
    tokens: a.tokens.input + a.tokens.output >= b.tokens.input + b.tokens.output ? a.tokens : b.tokens,
  };
}

function beginsTurn(event: AgentEvent, { isOver }: Lane): boolean {
  switch (event.type) {
    case 'prompt':
    case 'turn-start':
      return true;
    case 'text':
    case 'reasoning':
    case 'tool-call':
      return isOver;
    default:
      return false;
  }
}

function count(event: AgentEvent, lane: Lane): void {
  switch (event.type) {
    case 'tool-call':
      lane.calls++;
      lane.hasActed = true;
      lane.hasChanged = true;
      return;
    case 'text':
    case 'reasoning':
      if (typeof event.text === 'string') lane.characters += event.text.length;
      lane.hasActed = true;
      lane.hasChanged = true;
      return;
    case 'tool-result':
    case 'turn-end':
      lane.isOver = true;
      return;
    case 'usage': {
      const { tokens } = lane;
      const input = counted(event.inputTokens);
      const output = counted(event.outputTokens);
      tokens.input += input;
      tokens.output += output;
      const cached = Math.min(counted(event.cachedTokens), input);
      const written = Math.min(counted(event.cacheWriteTokens), input - cached);
      const writtenLong = Math.min(counted(event.longCacheWriteTokens), written);
      tokens.cached += cached;
      tokens.written += written;
      tokens.writtenLong += writtenLong;
      const { model } = event as RecordedUsage;
      if (typeof model === 'string' && input + output > 0)
        tokens.models = withTokens(tokens.models, model, {
          ...{ inputTokens: input, outputTokens: output, cachedTokens: cached },
          ...(written > 0 ? { cacheWriteTokens: written } : {}),
          ...(writtenLong > 0 ? { longCacheWriteTokens: writtenLong } : {}),
        });
      if (event.cost === undefined) tokens.unpriced += input + output;
      else tokens.cost += counted(event.cost);
      lane.isOver ||= lane.hasActed; // some logs report the tokens of an answer before the answer
      return;
    }
    default:
  }
}

/** Drops every second mark of the older half: the past grows coarser, the present stays exact. */
function thin(marks: Mark[]): void {
  const half = marks.length >> 1;
  marks.splice(0, half, ...marks.slice(0, half).filter((_, k) => k % 2 === 0));
}

function least(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.min(a, b);
}

function most(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.max(a, b);
}

/** What a log may report by mistake (NaN, infinite, negative) counts as nothing. */
function counted(reported: number | undefined): number {
  return reported !== undefined && reported > 0 && reported < 1e12 ? reported : 0;
}
