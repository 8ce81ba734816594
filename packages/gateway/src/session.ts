import { createJudge, type Judge, type JudgeOptions, type JudgeSnapshot, resumeJudge } from '@loopfuse/judge';
import type { ModelTokens } from '@loopfuse/prices';
import { createGuard, type Decision, type Guard, type GuardOptions, type GuardSnapshot, resumeGuard } from 'loopfuse';
import { judged } from './judged.js';
import type { Lane } from './lane.js';

/** What the gateway knows of one session. Guard and judge are live objects; the rest is plain data. */
export interface Session {
  readonly key: string;
  readonly guard: Guard;
  /** For a second opinion, if the operator wants one. It sees what the guard sees. */
  readonly judge?: Judge;
  readonly about: SessionFacts;
  readonly lanes: Lane[];
  /** Changes with every save, so that a copy can tell whether it is the newest. */
  revision: number;
}

/** What a session is and has done, to be shown to users. */
export interface SessionFacts {
  /** The name that the agent gives it, or one made from its first message. */
  readonly name: string;
  readonly agent: string;
  model: string;
  readonly startedAt: number;
  lastAt: number;
  requests: number;
  calls: number;
  inputTokens: number;
  outputTokens: number;
  /** The part of the input that came from the provider's cache. */
  cachedTokens: number;
  /** The part of the input that was written to that cache; and the part of that which is kept for an hour. */
  cacheWriteTokens?: number;
  longCacheWriteTokens?: number;
  /** Tokens used by model; missing in sessions saved by an older build. */
  models?: readonly ModelTokens[];
  /** How many loops were seen, and how often each action was taken. */
  loops: number;
  steers: number;
  blocks: number;
  /** Why the session was stopped; empty if it was not. */
  stopped: string;
  /** A message of the operator to the model, for the next request. */
  hint?: string;
  /** The message of the operator who stopped the session, until it is released. */
  halted?: string;
  /** Whether the client has got the message about the stop. */
  announced: boolean;
}

export interface SavedSession {
  readonly version: 1;
  readonly revision: number;
  readonly guard: GuardSnapshot;
  readonly judge?: JudgeSnapshot;
  readonly about: SessionFacts;
  readonly lanes: readonly Lane[];
}

export type SessionOptionsFor = (
  key: string,
  about: SessionFacts,
) => { readonly guarding: GuardOptions; readonly judging?: JudgeOptions | undefined };

export function openSession(key: string, about: SessionFacts, optionsFor: SessionOptionsFor): Session {
  const { guarding, judging } = optionsFor(key, about);
  const judge = judging && createJudge(judging);
  return { key, ...together(createGuard(guarding), judge), about, lanes: [], revision: 0 };
}

export function saveSession({ guard, judge, about, lanes, revision }: Session): SavedSession {
  const opinions = judge === undefined ? {} : { judge: judge.snapshot() };
  return { version: 1, revision, guard: guard.snapshot(), ...opinions, about, lanes };
}

/** A saved session, live again; undefined if it is not a session of ours. */
export function loadSession(key: string, saved: unknown, optionsFor: SessionOptionsFor): Session | undefined {
  if (!isSaved(saved)) return undefined;
  const { guard, about, lanes, revision } = saved;
  const { guarding, judging } = optionsFor(key, about);
  const judge = judging && (saved.judge === undefined ? createJudge(judging) : resumeJudge(judging, saved.judge));
  return { key, ...together(resumeGuard(guarding, guard), judge), about, lanes: [...lanes], revision };
}

function together(guard: Guard, judge: Judge | undefined): Pick<Session, 'guard' | 'judge'> {
  return judge === undefined ? { guard } : { guard: judged(guard, judge), judge };
}

/** The facts of a new session. */
export function newFacts(name: string, agent: string, model: string, now: number): SessionFacts {
  const counts = { requests: 0, calls: 0, inputTokens: 0, outputTokens: 0, cachedTokens: 0 };
  const loops = { loops: 0, steers: 0, blocks: 0 };
  return { name, agent, model, startedAt: now, lastAt: now, ...counts, ...loops, stopped: '', announced: false };
}

/** The gravest of several decisions; the last of equal ones. */
export function gravest(decisions: readonly Decision[]): Decision {
  const order = ['allow', 'steer', 'escalate', 'rewind', 'block', 'ask', 'stop'];
  let chosen: Decision = { type: 'allow' };
  for (const decision of decisions) if (order.indexOf(decision.type) >= order.indexOf(chosen.type)) chosen = decision;
  return chosen;
}

function isSaved(value: unknown): value is SavedSession {
  const saved = value as Partial<SavedSession> | null | undefined;
  return (
    saved?.version === 1 &&
    typeof saved.revision === 'number' &&
    typeof saved.guard === 'object' &&
    typeof saved.about?.name === 'string' &&
    Array.isArray(saved.lanes)
  );
}
