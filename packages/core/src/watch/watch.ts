import { endRepeats, isRepeat } from '../episode.js';
import { type AgentEvent, type EventOf, eventProblem } from '../event.js';
import { type Exemption, exemptionOf, isExemption } from '../exemption.js';
import type { Finding, Verdict } from '../finding.js';
import { quoted } from '../shape.js';
import { createSteps, type Observed } from '../step/steps.js';
import { count, wasteSince } from '../tally.js';
import { messageOf } from '../words/message-of.js';
import { endMessages, observeDelta } from './deltas.js';
import {
  forgetLane,
  type Lane,
  laneKey,
  laneOf,
  report,
  type Session,
  startSession,
  type WatchOptions,
} from './session.js';
import { show } from './show.js';
import { loadSession, saveSession, type WatchSnapshot } from './snapshot.js';

export type { WatchOptions } from './session.js';
export type { WatchSnapshot } from './snapshot.js';

/** Runs detectors over one session. It only reports; it does not act (see `guard.ts`). */
export interface Watch {
  /** How many events it has seen. */
  readonly seq: number;
  /** Whether the last event, deltas aside, was a prompt that the user did not write, such as a harness's repeat. */
  readonly byHarness: boolean;
  /** Total: it never throws, and reports what it could not use as a fault. */
  observe(event: AgentEvent): Verdict;
  /** One or two sentences about a finding, for the user and for the model. */
  explain(finding: Finding): string;
  /** All detectors start afresh, in all lanes or in one (`''` is the main lane), as when the user continues. */
  forget(lane?: string): void;
  /**
   * Whether a call just observed is one of the calls of a loop that was seen before, with nothing changed since. Only
   * then can a call be refused before its result is known.
   */
  repeats(event: EventOf<'tool-call'>): boolean;
  /** The call was refused and will not run: it leaves no trace, and its result must not be shown. */
  withdraw(event: EventOf<'tool-call'>): void;
  /** A finding with what its loop has cost up to now. */
  renewed(finding: Finding): Finding;
  /** From now on matching calls are shown to no detector, and findings of a matching kind are not reported. */
  exempt(exemption: Exemption): void;
  readonly exemptions: readonly Exemption[];
  /** Plain JSON of a bounded size. `resumeWatch` goes on from it exactly as this watch would. */
  snapshot(): WatchSnapshot;
}

const clear: Verdict = { status: 'clear' };
const none: readonly Finding[] = [];
const unjoined: Observed = { hidden: false, steps: [] };

/** Makes the watch of one session. Throws if an option is wrong, and says which. */
export function createWatch(options: WatchOptions): Watch {
  return watchOf(startSession(options));
}

/** Goes on from a snapshot. What is broken in it is reported and starts afresh; the watch works in any case. */
export function resumeWatch(options: WatchOptions, snapshot: WatchSnapshot): Watch {
  const session = startSession(options);
  loadSession(session, snapshot);
  return watchOf(session);
}

function watchOf(session: Session): Watch {
  const laneNamed = (name: string | undefined) => session.lanes.get(laneKey(name));
  return {
    get seq() {
      return session.seq;
    },
    get byHarness() {
      return session.byHarness;
    },
    get exemptions() {
      return session.exemptions;
    },
    observe(event) {
      try {
        return judge(session, event);
      } catch (cause) {
        report(session, 'event', `event ${session.seq} was ignored`, cause);
        return clear;
      } finally {
        session.seq++;
      }
    },
    explain({ detector: name, kind, evidence }) {
      try {
        const detector = session.detectors.find((one) => one.name === name);
        if (detector) return detector.explain(evidence);
      } catch (cause) {
        report(session, name, 'the finding could not be explained', cause);
      }
      return `${name} saw a loop (${kind}).`;
    },
    forget(only) {
      for (const lane of session.lanes.values())
        if (only === undefined || lane.name === laneKey(only)) forgetLane(session, lane);
    },
    repeats(event) {
      const lane = laneNamed(event.lane);
      const call = lane?.steps.callOf(event.id);
      return call !== undefined && isRepeat(lane!.episodes, call);
    },
    withdraw(event) {
      laneNamed(event.lane)?.steps.withdraw(event.id);
    },
    renewed(finding) {
      const lane = laneNamed(finding.lane);
      return lane ? { ...finding, seq: session.seq - 1, waste: wasteSince(lane.tally, finding.onset) } : finding;
    },
    exempt(exemption) {
      if (!isExemption(exemption))
        throw new TypeError(`exempt: an exemption names a tool or a kind of loop, got ${quoted(exemption)}`);
      session.exemptions = [...session.exemptions, exemptionOf(exemption)];
    },
    snapshot: () => saveSession(session),
  };
}

function judge(session: Session, event: AgentEvent): Verdict {
  const problem = eventProblem(event);
  if (problem !== undefined) throw new TypeError(problem);
  const lane = laneOf(session, event.lane);
  count(lane.tally, event, session.seq, lane.episodes);
  const found =
    event.type === 'text' || event.type === 'reasoning'
      ? observeDelta(session, lane, event)
      : observeOther(session, lane, event);
  if (found.length === 0) return clear;
  const findings = found as readonly [Finding, ...Finding[]];
  return { status: findings.some((finding) => finding.status === 'looping') ? 'looping' : 'suspect', findings };
}

/** Passes an event that is not a delta, and the steps that it completes, to the detectors. */
function observeOther(session: Session, lane: Lane, event: AgentEvent): readonly Finding[] {
  const { routes, exemptions, seq } = session;
  let found = none;
  try {
    const joins = session.joins || exemptions.length > 0;
    const { hidden, harness = false, steps } = joins ? lane.steps.observe(readable(event), seq, exemptions) : unjoined;
    session.byHarness = harness;
    if (!hidden && !harness) {
      if (event.type !== 'usage' && event.type !== 'opinion') endMessages(session, lane);
      found = show(session, lane, routes[event.type], event, found);
    }
    for (const step of steps) {
      if (step.mutated) endRepeats(lane.episodes, step.call);
      found = show(session, lane, routes.step, step, found);
    }
    // For the detectors, a prompt of a harness is one more turn, not a new request.
    if (harness && !hidden) {
      endMessages(session, lane);
      found = show(session, lane, routes['turn-start'], { type: 'turn-start' }, found);
    }
  } catch (cause) {
    report(session, 'step', 'the event was not read, and the calls under way are forgotten', cause);
    lane.steps = createSteps(session.rules);
  }
  return found;
}

/** An Error object that a host passes on has no fields in JSON: its message becomes the output. */
function readable(event: AgentEvent): AgentEvent {
  if (event.type !== 'tool-result' || !((event.output as unknown) instanceof Error)) return event;
  return { ...event, output: messageOf(event.output), failed: event.failed ?? true };
}
