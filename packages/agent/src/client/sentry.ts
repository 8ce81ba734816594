import {
  type AgentEvent,
  createGuard,
  type Decision,
  type Finding,
  type Guard,
  type GuardOptions,
  type GuardSnapshot,
  resumeGuard,
} from 'loopfuse';

/** The guard, with the latest findings kept for the judge and the user. Every event goes through `check` first. */
export interface Sentry {
  readonly guard: Guard;
  /** Index of the event that was shown last. */
  readonly seq: number;
  /** The latest findings since the prompt, oldest first. */
  readonly findings: readonly Finding[];
  check(event: AgentEvent): Decision;
  /** The new suspicions since the last call: the first of each episode. */
  takeSuspicions(): readonly Finding[];
}

const maxFindings = 16;

/** Receives every event after the guard. */
export type Listener = (event: AgentEvent, findings: readonly Finding[]) => void;

export function createSentry(
  options: GuardOptions,
  snapshot: GuardSnapshot | undefined,
  listen: Listener = () => {},
): Sentry {
  let findings: Finding[] = [];
  let suspicions: Finding[] = [];
  let seq = (snapshot?.watch.seq ?? 0) - 1;
  const watched: GuardOptions = {
    ...options,
    onFinding(finding) {
      findings = [...findings, finding].slice(-maxFindings);
      if (finding.status === 'suspect' && finding.again === 0) suspicions.push(finding);
      options.onFinding?.(finding);
    },
  };
  const guard = snapshot === undefined ? createGuard(watched) : resumeGuard(watched, snapshot);
  return {
    guard,
    get seq() {
      return seq;
    },
    get findings() {
      return findings;
    },
    check(event) {
      if (event.type === 'prompt') findings = [];
      if (guard.disabled) return guard.observe(event);
      seq++;
      const stamped: AgentEvent = { ...event, at: Date.now() };
      const decision = guard.observe(stamped);
      listen(stamped, guard.verdict.status === 'clear' ? [] : guard.verdict.findings);
      return decision;
    },
    takeSuspicions() {
      const taken = suspicions;
      suspicions = [];
      return taken;
    },
  };
}
