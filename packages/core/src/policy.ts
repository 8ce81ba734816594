import { type Finding, findingLike } from './finding.js';
import { requireInteger } from './options.js';
import { aFunction, type Check, checked, nonNegative, oneOf, problemIn } from './shape.js';

/** At least one finding, the one that matters most first. */
export type Findings = readonly [Finding, ...Finding[]];

/** What the host must do with the event it has just passed. Every decision but allow carries the findings behind it. */
export type Decision = Allow | Act;

/** Go on. `would` is what the policy under a `shadowOf` would have done instead. */
export interface Allow {
  readonly type: 'allow';
  readonly would?: Act;
}

/** A decision to do something about a loop. */
export type Act =
  | { readonly type: 'steer'; readonly message: string; readonly findings: Findings } // tell the model, let it go on
  | { readonly type: 'block'; readonly message: string; readonly findings: Findings } // refuse this one call, with this as its result
  | { readonly type: 'rewind'; readonly from: number; readonly note: string; readonly findings: Findings } // take what came since event `from` out of the model's context and leave the note; a current call is not run
  | { readonly type: 'escalate'; readonly findings: Findings } // let a stronger model take the next turn
  | Halt;

/** The agent does not go on until the user says so or asks something new. */
export type Halt =
  | { readonly type: 'ask'; readonly question: Question; readonly findings: Findings } // ask the user
  | { readonly type: 'stop'; readonly reason: string; readonly findings: Findings };

const choices: readonly Choice[] = ['stop', 'continue', 'hint', 'exempt', 'disable'];

/** What each decision carries beside its findings. */
const actLike: { readonly [Type in Act['type']]: object } = {
  steer: { message: '' },
  block: { message: '' },
  rewind: { from: nonNegative, note: '' },
  escalate: {},
  ask: { question: { message: '', choices: [oneOf(choices)] } },
  stop: { reason: '' },
};

/** Checks a decision that came from a policy or a snapshot. */
export const decisionLike: Check = (value, where) => {
  const { type, would } = (value ?? {}) as { type?: unknown; would?: unknown };
  if (type !== 'allow') return actProblem(value, where);
  return would === undefined ? undefined : actProblem(would, `${where}.would`);
};

function actProblem(value: unknown, where: string): string | undefined {
  return (
    problemIn({ type: oneOf(Object.keys(actLike)), findings: findingsLike }, value, where) ??
    problemIn(actLike[(value as Act).type], value, where)
  );
}

/** Checks a list of findings, at least one. */
export const findingsLike: Check = (value, where) =>
  problemIn([findingLike], value, where) ??
  ((value as Finding[]).length > 0 ? undefined : `${where} must be a list of findings, at least one`);

/** Whether a decision halts the agent: it asks or stops. */
export function isHalt(decision: Decision): decision is Halt {
  return decision.type === 'ask' || decision.type === 'stop';
}

/** What the user is asked about a loop. */
export interface Question {
  /** The loop in words. */
  readonly message: string;
  /** What can be answered. */
  readonly choices: readonly Choice[];
}

/** What the user can answer. `Release` in `guard.ts` carries out each of them but stop, which needs no release. */
export type Choice = 'stop' | 'continue' | 'hint' | 'exempt' | 'disable';

/** The choices that make sense for a loop: a tool can be exempted only where one takes part. */
export function choicesFor(findings: readonly Finding[]): readonly Choice[] {
  return findings.some(({ tools }) => tools.length > 0) ? choices : choices.filter((choice) => choice !== 'exempt');
}

/** A loop that was seen while the agent was free to go on. */
export interface Trip {
  /** How many times the circuit has tripped for this request, this time included. */
  readonly trips: number;
  /** What was seen, the most important first. */
  readonly findings: Findings;
  /** The loop in words: what repeats, how many times, what it has cost. */
  readonly explanation: string;
  /** For the model: the explanation and what to do instead. */
  readonly advice: string;
  /** Whether the present event is a call that can still be refused. */
  readonly refusable: boolean;
}

/** Decides what to do about a trip. A policy is a pure function; compose them as you like. */
export type Policy = (trip: Trip) => Decision;

/** The steps between a message to the model and a halt. Hosts that cannot carry them out leave them at 0. */
export interface RecoveryOptions {
  /** How many trips, after the steers, take the loop out of the model's context. */
  readonly rewinds?: number;
  /** How many trips after that give the next turn to a stronger model. */
  readonly escalations?: number;
}

/** How many trips are answered in which way; see `ladder`. */
export interface LadderOptions extends RecoveryOptions {
  /** How many trips are answered by a message to the model; a call that can be refused is refused with that message. */
  readonly steers?: number;
  /** What comes after that. */
  readonly last?: 'ask' | 'stop';
}

/** Sends the model a message or refuses its call; then rewinds and escalates, if chosen; only then asks or stops. */
export function ladder({ steers = 2, rewinds = 0, escalations = 0, last = 'stop' }: LadderOptions = {}): Policy {
  requireInteger('ladder: steers', steers, 0);
  requireInteger('ladder: rewinds', rewinds, 0);
  requireInteger('ladder: escalations', escalations, 0);
  if (last !== 'ask' && last !== 'stop')
    throw new RangeError(`ladder: last must be ask or stop, got ${JSON.stringify(last)}`);
  return ({ trips, findings, explanation, advice, refusable }) => {
    if (trips <= steers) return { type: refusable ? 'block' : 'steer', message: advice, findings };
    if (trips <= steers + rewinds) return { type: 'rewind', from: onsetOf(findings), note: noteOf(advice), findings };
    if (trips <= steers + rewinds + escalations) return { type: 'escalate', findings };
    if (last === 'stop') return { type: 'stop', reason: explanation, findings };
    return { type: 'ask', question: { message: explanation, choices: choicesFor(findings) }, findings };
  };
}

/** Where the loop begins in the lane of the first finding: the earliest onset of its findings. */
function onsetOf([first, ...others]: Findings): number {
  return Math.min(first.onset, ...others.filter(({ lane }) => lane === first.lane).map(({ onset }) => onset));
}

function noteOf(advice: string): string {
  return `The latest rounds repeated themselves and were taken out of this conversation. What they changed on disk is still changed. ${advice}`;
}

/** Never acts, and says in `would` what `policy` would have done: to measure a policy before using it. */
export function shadowOf(policy: Policy): Policy {
  checked(aFunction, policy, 'shadowOf: policy');
  return (trip) => {
    const decision = policy(trip);
    return decision.type === 'allow' ? decision : { type: 'allow', would: decision };
  };
}
