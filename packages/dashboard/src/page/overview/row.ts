import type { LoopSummary, SessionSummary } from '../../report.js';
import { dayOf } from '../words.js';

/** A session with the values that the overview needs, computed once. */
export interface Row {
  readonly index: number;
  readonly session: SessionSummary;
  /** Without suspicions. */
  readonly looping: readonly LoopSummary[];
  readonly waste: RowWaste;
  readonly at: number | undefined;
  readonly day: string | undefined;
  /** The tools in its loops; `textAlone` for loops of text. */
  readonly tools: readonly string[];
  readonly kinds: readonly string[];
  /** Everything that can be searched, in lower case. */
  readonly words: string;
}

/** The totals of all loops of a session, as far as they are known. */
export interface RowWaste {
  readonly calls: number;
  readonly tokens: number | undefined;
  readonly cost: number | undefined;
  readonly minutes: number | undefined;
}

/** Later times are errors, and have years of five digits. */
const lastDay = Date.UTC(9999, 0);

/** Stands for the tool of a loop of text. */
export const textAlone = 'words, no tool';

export function rowOf(session: SessionSummary, index: number): Row {
  const { loops, startedAt, endedAt, id, agent, model, project, title, file, author } = session;
  const looping = loops.filter(({ status }) => status === 'looping');
  const at = startedAt ?? endedAt;
  const tools = looping.flatMap((loop) => (loop.tools.length === 0 ? [textAlone] : loop.tools));
  const said = loops.flatMap(({ kind, message, tools }) => [kind, message, ...tools]);
  return {
    index,
    session,
    looping,
    waste: wasteOf(looping),
    at,
    day: at === undefined || at < 0 || at > lastDay ? undefined : dayOf(at),
    tools: [...new Set(tools)],
    kinds: [...new Set(looping.map(({ kind }) => kind))],
    words: [id, agent, model, project, title, file, author, ...said].join('\n').toLowerCase(),
  };
}

export function wasteOf(loops: readonly LoopSummary[]): RowWaste {
  return {
    calls: loops.reduce((sum, { waste }) => sum + waste.calls, 0),
    tokens: sumOfKnown(loops.map(({ waste }) => waste.tokens)),
    cost: sumOfKnown(loops.map(({ waste }) => waste.cost)),
    minutes: sumOfKnown(loops.map(({ waste }) => waste.minutes)),
  };
}

/** Undefined if no value is known. */
export function sumOfKnown(values: readonly (number | undefined)[]): number | undefined {
  let sum: number | undefined;
  for (const value of values) if (value !== undefined) sum = (sum ?? 0) + value;
  return sum;
}
