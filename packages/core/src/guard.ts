import { loopKinds } from './advice.js';
import { beginCall, type CallsUnderWay, endCall, keepKey, keyOf, loadKeys, markStale } from './calls-under-way.js';
import { type Circuit, type CircuitInput, closedCircuit, loadCircuit, transition } from './circuit.js';
import type { AgentEvent } from './event.js';
import type { Exemption } from './exemption.js';
import { assertNever } from './exhaustive.js';
import { reportFault } from './fault.js';
import type { Finding, Verdict } from './finding.js';
import { interactive } from './policies.js';
import { type Decision, decisionLike, type Findings, isHalt, type Policy } from './policy.js';
import { aFunction, checked, nonNegative, oneOf, only, optional } from './shape.js';
import { laneKey } from './watch/session.js';
import { requireVersion } from './watch/snapshot.js';
import { createWatch, resumeWatch, type Watch, type WatchOptions, type WatchSnapshot } from './watch/watch.js';
import { wasteInWords } from './words/waste-in-words.js';

/** Options of a guard: what it looks for, what it does about a loop, and where it reports. */
export interface GuardOptions extends WatchOptions {
  /** What is done about a loop; `interactive` by default. */
  readonly policy?: Policy;
  /** How many clean results in a row, after something was done about a loop, close the circuit again; 8 by default. */
  readonly recovery?: number;
  /** Called with every finding, suspicions included, before the decision is made. */
  readonly onFinding?: (finding: Finding) => void;
}

/** How the user lets a halted agent go on. */
export type Release =
  | { readonly type: 'continue' } // once: the detectors forget, and the same loop must build up again
  | { readonly type: 'hint' } // the same, with a message of the user that the host gives to the model
  | ({ readonly type: 'exempt' } & Exemption) // and never flag this again
  | { readonly type: 'disable' }; // and watch no more in this session

/** Watch, circuit and policy in one: the object most users hold, one for each session. */
export interface Guard {
  /** Whether the agent may go on. */
  readonly circuit: Circuit;
  /** Whether watching was switched off for the session. */
  readonly disabled: boolean;
  /** What was seen at the last event. */
  readonly verdict: Verdict;
  /** Call it with every event, and for calls before they run. Total: it reports its own faults and returns allow. */
  observe(event: AgentEvent): Decision;
  /**
   * Lets a halted agent go on, as the user decided: the circuit closes and the detectors start from scratch. Throws
   * when `how` is not a release. To stop the agent, release nothing; the host ends the run.
   */
  release(how: Release): void;
  /** One or two sentences about a finding, for the user and for the model. */
  explain(finding: Finding): string;
  /** The guard as JSON of a bounded size, at any event. */
  snapshot(): GuardSnapshot;
}

/** A guard as JSON; `resumeGuard` goes on from it. Treat it as opaque: only `version` has a meaning for others. */
export interface GuardSnapshot {
  readonly version: 2;
  readonly watch: WatchSnapshot;
  readonly circuit: Circuit;
  readonly disabled: boolean;
  readonly outstanding: readonly string[];
  readonly stale: readonly string[];
  readonly refused: readonly string[];
  /** Absent when there are none. */
  readonly wouldHaveHalted?: readonly string[];
}

const optionsLike = {
  policy: optional(only('a function, such as interactive or ladder({ … })', (value) => typeof value === 'function')),
  recovery: optional(nonNegative),
  onFinding: optional(aFunction),
};
const releaseLike = { type: oneOf(['continue', 'hint', 'exempt', 'disable']) };
const allow: Decision = { type: 'allow' };
const clear: Verdict = { status: 'clear' };

/** Makes the guard of one session. Throws if an option is wrong, and says which. */
export function createGuard(options: GuardOptions): Guard {
  return startGuard(options, createWatch(options));
}

/** Goes on from a snapshot; what is broken in it is reported and starts from scratch. */
export function resumeGuard(options: GuardOptions, snapshot: GuardSnapshot): Guard {
  return startGuard(options, resumeWatch(options, snapshot?.watch), snapshot ?? {});
}

function startGuard(options: GuardOptions, watch: Watch, saved?: Partial<GuardSnapshot>): Guard {
  checked(optionsLike, options, 'options');
  const { policy = interactive, recovery = 8, onFinding } = options;
  let circuit: Circuit = closedCircuit;
  let disabled = saved?.disabled === true;
  let verdict: Verdict = clear;
  const calls: CallsUnderWay = {
    outstanding: loadKeys(saved?.outstanding),
    stale: loadKeys(saved?.stale),
    refused: loadKeys(saved?.refused),
  };
  // Episodes in which a shadow policy would have halted the agent. The agent would not have gone further, so later
  // findings of these episodes are not counted as trips: a detector with a latch sees the same loop at every event.
  const wouldHaveHalted = loadKeys(saved?.wouldHaveHalted);

  function move(input: CircuitInput): void {
    circuit = transition(circuit, input, recovery);
  }

  function report(message: string, cause: unknown, where = 'guard'): void {
    reportFault(options, { where, message, seq: Math.max(0, watch.seq - 1), cause });
  }

  function tell(finding: Finding): void {
    try {
      onFinding?.(finding);
    } catch (cause) {
      report('onFinding threw', cause);
    }
  }

  function trip(findings: Findings, refusable: boolean): Decision {
    const again = circuit.state === 'probation' && refusable ? 'Having been told, it sends the same call again. ' : '';
    const explanation = again + describe(watch, findings[0]);
    const advice = `${explanation} ${loopKinds[findings[0].kind].advice}`;
    const answer = policy({ trips: circuit.trips + 1, findings, explanation, advice, refusable });
    checked(decisionLike, answer, 'what the policy returns');
    switch (answer.type) {
      case 'allow':
        if (answer.would === undefined) return allow;
        if (wouldHaveHalted.has(findings[0].episode)) return answer;
        if (isHalt(answer.would)) keepKey(wouldHaveHalted, findings[0].episode);
        goOn(findings); // so that the shadow policy climbs its ladder; nothing was halted
        return answer;
      case 'steer':
      case 'block':
      case 'escalate':
        goOn(findings);
        return answer;
      case 'rewind':
        goOn(findings);
        watch.forget(findings[0].lane ?? ''); // the model does not see those rounds any more, nor do the detectors
        return answer;
      case 'ask':
      case 'stop':
        move({ type: 'broken', decision: answer });
        return answer;
      default:
        return assertNever(answer, 'the guard');
    }
  }

  /** Something was done about a loop, and the agent goes on under watch. */
  function goOn(because: Findings): void {
    markStale(calls);
    move({ type: 'steered', because });
  }

  function observe(event: AgentEvent): Decision {
    if (disabled) return allow;
    try {
      const ours = event?.type === 'tool-result' && calls.refused.delete(keyOf(event));
      verdict = watch.observe(ours ? { ...event, type: 'steer', text: '' } : event);
      return ours ? (circuit.state === 'open' ? circuit.decision : allow) : decide(event);
    } catch (cause) {
      report('the event was allowed', cause);
      return allow;
    }
  }

  function decide(event: AgentEvent): Decision {
    const type = event?.type;
    if (type === 'prompt' && !event.lane && !watch.byHarness) {
      move({ type: 'prompt' });
      wouldHaveHalted.clear();
      calls.outstanding.clear();
      calls.stale.clear();
    }
    if (verdict.status !== 'clear') for (const finding of verdict.findings) tell(finding);
    const isStale = type === 'tool-result' && endCall(calls, keyOf(event));
    if (circuit.state === 'open') return circuit.decision;
    const answer = judge(event, isStale);
    if (type === 'tool-call') {
      const key = keyOf(event);
      if (answer.type === 'block' || answer.type === 'rewind') {
        watch.withdraw(event);
        keepKey(calls.refused, key);
      } else beginCall(calls, key);
      // With the policy in force the call would not have run, so its result would not have been seen.
      if (answer.type === 'allow' && answer.would !== undefined) keepKey(calls.stale, key);
    }
    return answer;
  }

  function judge(event: AgentEvent, isStale: boolean): Decision {
    if (verdict.status === 'looping') {
      const looping = verdict.findings.filter((finding) => finding.status === 'looping');
      return isStale ? allow : trip(looping as unknown as Findings, event.type === 'tool-call');
    }
    if (circuit.state !== 'probation') return allow;
    if (event.type === 'tool-call' && watch.repeats(event)) {
      const [first, ...rest] = circuit.because.filter(({ lane }) => laneKey(lane) === laneKey(event.lane));
      if (first) return trip([watch.renewed(first), ...rest], true);
    }
    if (event.type === 'tool-result' && !isStale) move({ type: 'clean' });
    return allow;
  }

  if (saved) {
    try {
      requireVersion(saved);
      circuit = loadCircuit(saved.circuit);
    } catch (cause) {
      report('the saved circuit could not be read and is closed', cause, 'snapshot');
    }
  }

  return {
    get circuit() {
      return circuit;
    },
    get disabled() {
      return disabled;
    },
    get verdict() {
      return verdict;
    },
    observe,
    release(how) {
      checked(releaseLike, how, 'release: how');
      if (how.type === 'disable') disabled = true;
      if (how.type === 'exempt') watch.exempt(how);
      watch.forget();
      wouldHaveHalted.clear();
      calls.stale.clear();
      verdict = clear;
      move({ type: 'released' });
    },
    explain: (finding) => watch.explain(finding),
    snapshot: () => ({
      version: 2,
      watch: watch.snapshot(),
      circuit,
      disabled,
      outstanding: [...calls.outstanding],
      stale: [...calls.stale],
      refused: [...calls.refused],
      ...(wouldHaveHalted.size === 0 ? {} : { wouldHaveHalted: [...wouldHaveHalted] }),
    }),
  };
}

/** The loop in words, with its cost so far. */
function describe(watch: Watch, finding: Finding): string {
  const cost = wasteInWords(finding.waste);
  return cost === '' ? watch.explain(finding) : `${watch.explain(finding)} Spent on it so far: ${cost}.`;
}
