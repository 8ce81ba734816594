import type { Finding } from './finding.js';
import { requireInteger } from './options.js';

/** What the host is to do with the event it has just shown. */
export type Decision =
  | { readonly type: 'allow' }
  | { readonly type: 'steer'; readonly message: string } // tell the model, let it go on
  | { readonly type: 'block'; readonly message: string } // refuse this one call, with this as its result
  | { readonly type: 'ask'; readonly question: Question } // hand it to the person
  | { readonly type: 'stop'; readonly reason: string };

/** Whether a value, from a policy or a snapshot say, is a decision. */
export function isDecision(value: unknown): value is Decision {
  const decision = value as Partial<Record<string, unknown>> | null | undefined;
  switch (decision?.type) {
    case 'allow':
      return true;
    case 'steer':
    case 'block':
      return typeof decision.message === 'string';
    case 'stop':
      return typeof decision.reason === 'string';
    case 'ask': {
      const { message, findings, choices } = (decision.question ?? {}) as Partial<Question>;
      return typeof message === 'string' && Array.isArray(findings) && Array.isArray(choices);
    }
    default:
      return false;
  }
}

export interface Question {
  readonly message: string;
  readonly findings: readonly Finding[];
  readonly choices: readonly Choice[];
}

/** What a person can answer; `Release` in `guard.ts` carries each of them out, and stopping needs no release. */
export type Choice = 'stop' | 'continue' | 'hint' | 'exempt' | 'disable';

/** A loop that was seen while the agent was free to go on. */
export interface Trip {
  /** How often the circuit has tripped for this request, this time included. */
  readonly trips: number;
  readonly findings: readonly [Finding, ...Finding[]];
  /** The loop in words: what repeats, how often, what it has cost. */
  readonly explanation: string;
  /** For the model: the explanation and what to do instead. */
  readonly advice: string;
  /** Whether the event at hand is a call that can still be refused. */
  readonly refusable: boolean;
}

/** Decides what to do about a trip. A policy is a pure function; compose them as you like. */
export type Policy = (trip: Trip) => Decision;

export interface LadderOptions {
  /** How many trips are answered by telling the model; a call that can be refused is refused instead of told twice. */
  readonly steers?: number;
  /** What comes after that. */
  readonly last?: 'ask' | 'stop';
}

const choices: readonly Choice[] = ['stop', 'continue', 'hint', 'exempt', 'disable'];

/** Tell the model, refuse the call, and only then ask or stop. */
export function ladder({ steers = 2, last = 'stop' }: LadderOptions = {}): Policy {
  requireInteger('ladder: steers', steers, 0);
  if (last !== 'ask' && last !== 'stop')
    throw new RangeError(`ladder: last must be ask or stop, got ${JSON.stringify(last)}`);
  return ({ trips, findings, explanation, advice, refusable }) => {
    if (trips <= steers) return { type: refusable ? 'block' : 'steer', message: advice };
    if (last === 'stop') return { type: 'stop', reason: explanation };
    const textOnly = findings.every((finding) => finding.tools.length === 0);
    return {
      type: 'ask',
      question: {
        message: explanation,
        findings,
        choices: textOnly ? choices.filter((choice) => choice !== 'exempt') : choices,
      },
    };
  };
}

/** With a person at hand: one word to the model, then the person decides. */
export const interactive: Policy = ladder({ steers: 1, last: 'ask' });

/** With nobody at hand: two tries to get the model out of it, then the run ends. */
export const unattended: Policy = ladder({ steers: 2, last: 'stop' });

/** Watches and never acts: for measuring before trusting. */
export const shadow: Policy = () => ({ type: 'allow' });
