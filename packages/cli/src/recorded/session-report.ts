import type { RecordedSession } from '@loopfuse/formats';
import {
  type AgentEvent,
  createWatch,
  type Detector,
  type Fault,
  type Finding,
  type LoopKind,
  type ToolRules,
} from 'loopfuse';
import { grouped } from 'loopfuse/words';
import { chargesOf } from './charges.js';
import { createContentPrint, isUnique } from './content-print.js';
import { createSpending, type Place, type Spent } from './spending.js';

/** A loop, or a suspicion, as it was first seen, and how far it went on. */
export interface LoopReport {
  /** The first of the episode at its status. */
  readonly finding: Finding;
  /**
   * Kind, detector, tools, description, confidence and, if it was counted, the number of rounds: all from one finding, so
   * that the kind never contradicts the description. It is the longest one of the first detector and kind, or, if that
   * covers less than half of the loop, the longest of any.
   */
  readonly kind: LoopKind;
  readonly detector: string;
  readonly tools: readonly string[];
  readonly message: string;
  readonly confidence: number;
  readonly rounds?: number;
  /** Index of the event at which it was last seen. `finding.onset` and this are the ends of its span, both inside. */
  readonly until: number;
  /** What it had used when it was first seen, and what it used in all (see `charges.ts`). */
  readonly spent: Spent;
  readonly spentUntil: Spent;
  /** A suspicion that became a loop has an entry for each; this is the former. */
  readonly confirmed: boolean;
  /** The id of the call, or of the result, at which it was first seen; undefined where it was seen in words. */
  readonly call?: string;
}

export interface SessionReport {
  readonly session: RecordedSession;
  readonly events: number;
  readonly calls: number;
  /** Its log has the arguments of no call: most loops of calls cannot be detected in it. */
  readonly withoutArguments: boolean;
  /** How its first request begins; undefined where none is known. */
  readonly request?: string;
  /** Everything that it used, in loops or not. */
  readonly spent: Spent;
  readonly loops: readonly LoopReport[];
  /** Fingerprints of its content (see `content-print.ts`); undefined if its id was generated at random and is enough. */
  readonly print?: readonly number[];
}

/** Watches one recorded session. Keeps the state of the watch and the loops, never the events. */
export interface SessionScan {
  observe(event: AgentEvent): void;
  end(): SessionReport;
}

interface Entry {
  readonly finding: Finding;
  /** The longest stretch seen by the detector and as the kind that came first, and by any detector as any kind. */
  widestAlike: Finding;
  widest: Finding;
  until: number;
  readonly from: Place;
  readonly seen: Place;
  to: Place;
  confirmed: boolean;
  readonly call: string | undefined;
}

export function scanSession(
  session: RecordedSession,
  detectors: readonly Detector[],
  onFault: (fault: Fault) => void,
  tools: ToolRules = {},
): SessionScan {
  const watch = createWatch({ detectors, tools, onFault });
  const spending = createSpending();
  const print = isUnique(session.id) ? undefined : createContentPrint();
  const entries: Entry[] = [];
  /** By episode: the entry of its suspicion, then that of its loop. */
  const latest = new Map<string, Entry>();
  let calls = 0;
  let unknown = 0;
  let request: string | undefined;

  function file(finding: Finding, event: AgentEvent): void {
    const { seq, onset, lane, episode } = finding;
    const earlier = latest.get(episode);
    const here = spending.here(lane);
    if (finding.again === 0) {
      const from = spending.before(onset, lane);
      const entry: Entry = {
        finding,
        widestAlike: finding,
        widest: finding,
        until: seq,
        from,
        seen: here,
        to: here,
        confirmed: false,
        call: event.type === 'tool-call' || event.type === 'tool-result' ? event.id : undefined,
      };
      entries.push(entry);
      latest.set(episode, entry);
      if (earlier?.finding.status === 'suspect') earlier.confirmed = true;
      return;
    }
    if (earlier === undefined) return;
    if (isAlike(finding, earlier.finding) && reachOf(finding) >= reachOf(earlier.widestAlike))
      earlier.widestAlike = finding;
    if (reachOf(finding) >= reachOf(earlier.widest)) earlier.widest = finding;
    earlier.until = seq;
    earlier.to = here;
  }

  return {
    observe(event) {
      if (event.type === 'tool-call') {
        calls++;
        if (event.input === null) unknown++;
      } else if (event.type === 'prompt' && event.lane === undefined) request ??= beginningOf(event.text);
      print?.observe(event);
      spending.observe(event, watch.seq);
      const verdict = watch.observe(event);
      if (verdict.status !== 'clear') for (const finding of verdict.findings) file(finding, event);
    },
    end() {
      const charges = chargesOf(entries);
      return {
        session,
        events: watch.seq,
        calls,
        withoutArguments: calls > 0 && unknown === calls,
        ...(request === undefined ? {} : { request }),
        spent: spending.total(),
        ...(print === undefined ? {} : { print: print.marks }),
        loops: entries.map(({ finding, widestAlike, widest, until, confirmed, call }, k) => {
          const isHalf = 2 * reachOf(widestAlike) >= until - finding.onset;
          const shown = isHalf ? widestAlike : widest;
          const rounds = roundsOf(shown);
          const charge = charges[k]!;
          return {
            finding,
            kind: shown.kind,
            detector: shown.detector,
            tools: shown.tools,
            message: watch.explain(shown) + beyond(shown, charge.spentUntil.calls),
            confidence: shown.confidence,
            ...(rounds === undefined ? {} : { rounds }),
            until,
            ...charge,
            confirmed,
            ...(call === undefined ? {} : { call }),
          };
        }),
      };
    },
  };
}

const mostRequest = 200;

function beginningOf(text: unknown): string | undefined {
  if (typeof text !== 'string') return undefined;
  const words = text
    .slice(0, 2 * mostRequest)
    .split(/\s+/)
    .filter(Boolean)
    .join(' ');
  return words === '' ? undefined : words.slice(0, mostRequest);
}

function isAlike(one: Finding, other: Finding): boolean {
  return one.detector === other.detector && one.kind === other.kind;
}

function reachOf({ seq, onset }: Finding): number {
  return seq - onset;
}

/**
 * A detector remembers a limited number of steps and counts the rounds in those: a loop of hundreds of calls may be described
 * as one of four rounds. If the loop took more than one and a half times the calls of the counted rounds, the total is added.
 */
function beyond({ evidence, status }: Finding, calls: number): string {
  const { times, cycle } = Object(evidence) as { times?: unknown; cycle?: unknown };
  if (typeof times !== 'number' || status !== 'looping') return '';
  const inRounds = times * Math.max(1, Array.isArray(cycle) ? cycle.length : 1);
  return calls > 1.5 * inRounds ? ` In all, the loop took ${grouped(calls)} calls.` : '';
}

function roundsOf({ evidence }: Finding): number | undefined {
  const { times } = Object(evidence) as { times?: unknown };
  return typeof times === 'number' ? times : undefined;
}
