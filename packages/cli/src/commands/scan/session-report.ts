import type { RecordedSession } from '@loopfuse/formats';
import {
  type AgentEvent,
  createWatch,
  type Detector,
  type Fault,
  type Finding,
  type ToolRules,
  type Waste,
} from 'loopfuse';
import { createContentPrint } from './content-print.js';
import { createSpending, type Spent } from './spending.js';

/** A loop as it was first seen, and how far it went on. */
export interface LoopReport {
  readonly finding: Finding;
  /** What the detector said when it first saw the loop. */
  readonly message: string;
  /** What it said when it was surest, and how sure. */
  readonly surest: { readonly message: string; readonly confidence: number };
  /** Index of the event at which the loop was last seen, and what had been spent on it by then. */
  readonly until: number;
  readonly wasteUntil: Waste;
  /** What was used between its onset and the event at which it was first seen, and last. */
  readonly spent: Spent;
  readonly spentUntil: Spent;
  /** How often it went round, where the detector counts that. */
  readonly rounds?: number;
  /** A suspicion that became a loop has an entry for each; this is the former. */
  readonly confirmed: boolean;
}

export interface SessionReport {
  readonly session: RecordedSession;
  readonly events: number;
  readonly calls: number;
  readonly loops: readonly LoopReport[];
  /** What its content is known by (see `content-print.ts`). */
  readonly print: readonly number[];
}

/** Watches one recorded session; holds what the watch holds and its loops, never the events. */
export interface SessionScan {
  observe(event: AgentEvent): void;
  end(): SessionReport;
}

interface Entry {
  readonly finding: Finding;
  readonly message: string;
  /** Of the sightings by the same detector. */
  surest: Finding;
  until: number;
  wasteUntil: Waste;
  readonly spent: Spent;
  spentUntil: Spent;
  rounds: number | undefined;
  confirmed: boolean;
}

export function scanSession(
  session: RecordedSession,
  detectors: readonly Detector[],
  onFault: (fault: Fault) => void,
  tools: ToolRules = {},
): SessionScan {
  const watch = createWatch({ detectors, tools, onFault });
  const spending = createSpending();
  const print = createContentPrint();
  const entries: Entry[] = [];
  /** By episode: the entry of its suspicion, then that of its loop. */
  const latest = new Map<string, Entry>();
  let calls = 0;

  function file(finding: Finding): void {
    const earlier = latest.get(finding.episode);
    if (finding.again === 0) {
      const { seq, waste, onset, lane } = finding;
      const spent = spending.since(onset, lane);
      const entry: Entry = {
        finding,
        message: watch.explain(finding),
        surest: finding,
        until: seq,
        wasteUntil: waste,
        spent,
        spentUntil: spent,
        rounds: roundsOf(finding),
        confirmed: false,
      };
      entries.push(entry);
      latest.set(finding.episode, entry);
      if (earlier?.finding.status === 'suspect') earlier.confirmed = true;
      return;
    }
    if (earlier === undefined) return;
    if (finding.detector === earlier.finding.detector && finding.confidence >= earlier.surest.confidence)
      earlier.surest = finding;
    earlier.until = finding.seq;
    earlier.wasteUntil = most(earlier.wasteUntil, finding.waste);
    earlier.spentUntil = spending.since(earlier.finding.onset, finding.lane);
    earlier.rounds = larger(earlier.rounds, roundsOf(finding));
  }

  return {
    observe(event) {
      if (event.type === 'tool-call') calls++;
      print.observe(event);
      spending.observe(event, watch.seq);
      const verdict = watch.observe(event);
      if (verdict.status !== 'clear') for (const finding of verdict.findings) file(finding);
    },
    end: () => ({
      session,
      events: watch.seq,
      calls,
      print: print.marks,
      loops: entries.map(({ surest, rounds, ...entry }) => ({
        ...entry,
        ...(rounds === undefined ? {} : { rounds }),
        surest: { message: watch.explain(surest), confidence: surest.confidence },
      })),
    }),
  };
}

function most(a: Waste, b: Waste): Waste {
  return {
    calls: Math.max(a.calls, b.calls),
    characters: Math.max(a.characters, b.characters),
    tokens: Math.max(a.tokens, b.tokens),
  };
}

function roundsOf({ evidence }: Finding): number | undefined {
  const { times } = Object(evidence) as { times?: unknown };
  return typeof times === 'number' ? times : undefined;
}

function larger(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.max(a, b);
}
