import type { AgentEvent, Finding } from 'loopfuse';
import { ancestorSchedule } from './ancestor-schedule.js';
import { evidenceSchedule } from './evidence-schedule.js';

/** Plain numbers, so that a state survives JSON. */
export type ScheduleState = { readonly [name: string]: number };

/**
 * When to ask the judge: a fold over the events and findings of a session. A value with pure functions, shared by all
 * sessions. Answers are `opinion` events, so a replay asks at the same turns.
 */
export interface Schedule<State = ScheduleState> {
  start(): State;
  /**
   * The next state. `findings` are those made at this event, whatever their status. One answer may be passed twice:
   * when it arrives, and as an event of the session.
   */
  next(state: State, event: AgentEvent, findings: readonly Finding[]): State;
  /** Whether the judge must be asked before the latest turn. */
  isDue(state: State): boolean;
}

/** By evidence of a stall, or only by the number of turns, as in the ancestors. */
export type ScheduleName = 'evidence' | 'ancestors';

export function scheduleOf(chosen: ScheduleName | Schedule): Schedule {
  if (chosen === 'evidence') return evidenceSchedule();
  if (chosen === 'ancestors') return ancestorSchedule;
  if (typeof chosen?.start === 'function' && typeof chosen.next === 'function' && typeof chosen.isDue === 'function')
    return chosen;
  throw new TypeError(
    `createJudge: schedule must be evidence, ancestors or a schedule of your own, got ${JSON.stringify(chosen)}`,
  );
}

/** A state read back from a snapshot. Throws if it is not a state of this schedule. */
export function loadScheduleState(schedule: Schedule, saved: unknown): ScheduleState {
  const state = (saved ?? {}) as ScheduleState;
  const names = Object.keys(schedule.start());
  for (const name of names)
    if (!Number.isFinite(state[name])) throw new TypeError(`the schedule's "${name}" is not a number`);
  return Object.fromEntries(names.map((name) => [name, state[name]!]));
}
