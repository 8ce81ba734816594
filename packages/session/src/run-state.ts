import {
  createGuard,
  type Decision,
  type Finding,
  type Guard,
  type Halt,
  loopKinds,
  type Policy,
  resumeGuard,
  unattended,
} from 'loopfuse';
import { balanced } from 'loopfuse/presets';
import { messageOf } from 'loopfuse/words';
import { LoopError } from './loop-error.js';
import { type ExitBehavior, requireExitBehavior, type SessionOptions } from './session-options.js';

/** What all lanes of a session share: the guard, the options, and the state of the run. */
export interface RunState {
  readonly guard: Guard;
  readonly options: SessionOptions;
  readonly exitBehavior: ExitBehavior;
  /** The index of the next event. */
  seq: number;
  /** Why the run was ended. */
  error: LoopError | undefined;
  /** The question that the user is being asked. */
  asking: Promise<Decision> | undefined;
  /** The decision that `onDecision` was called with last: an open circuit gives the same one for every event. */
  reported: Decision | undefined;
}

export function createRunState(options: SessionOptions): RunState {
  const { snapshot, exitBehavior = 'end', policy = unattended, detectors = balanced() } = options;
  requireExitBehavior('openSession', exitBehavior);
  // A policy that is not a function is passed on unchanged, and the guard reports it.
  const isEndless = exitBehavior === 'continue' && typeof policy === 'function';
  const guardOptions = { ...options, detectors, policy: isEndless ? neverStopping(policy) : policy };
  const guard = snapshot ? resumeGuard(guardOptions, snapshot.guard) : createGuard(guardOptions);
  const { circuit } = guard;
  const isStopped = snapshot && circuit.state === 'open' && circuit.decision.type === 'stop';
  return {
    guard,
    options,
    exitBehavior,
    seq: snapshot?.guard?.watch?.seq ?? 0,
    error: isStopped ? new LoopError(circuit.decision) : undefined,
    asking: undefined,
    reported: undefined,
  };
}

/** A stop becomes a refusal of the call, or a message if there is no call. */
function neverStopping(policy: Policy): Policy {
  return (trip) => {
    const decision = policy(trip);
    if (decision.type !== 'stop') return decision;
    return { type: trip.refusable ? 'block' : 'steer', message: trip.advice, findings: trip.findings };
  };
}

export function endRun(run: RunState, decision: Halt): LoopError {
  if (run.error) return run.error;
  const error = new LoopError(decision);
  run.error = error;
  attempt(run, 'onStop', () => run.options.onStop?.(error), undefined);
  return error;
}

/** Runs code of a host. What it throws is reported as a fault, and the agent goes on with the fallback. */
export function attempt<Value>(run: RunState, where: string, action: () => Value, fallback: Value): Value {
  try {
    return action();
  } catch (cause) {
    reportFault(run, where, cause);
    return fallback;
  }
}

export function reportFault({ options, seq }: RunState, where: string, cause: unknown): void {
  try {
    options.onFault?.({ where, message: messageOf(cause), seq: Math.max(0, seq - 1), cause });
  } catch {
    // There is nowhere left to report it; the agent goes on.
  }
}

export function adviceOn({ guard }: RunState, [finding]: readonly Finding[]): string {
  return finding ? `${guard.explain(finding)} ${loopKinds[finding.kind].advice}` : 'You are repeating yourself.';
}
