import type { Finding } from 'loopfuse';
import { requireInteger } from '../options.js';
import type { Schedule } from './schedule.js';

export interface EvidenceScheduleOptions {
  /** The fewest turns between two questions: after an answer that was sure of a loop. */
  readonly shortest?: number;
  /** Turns until the next question after the first answer that saw no loop at all. */
  readonly longest?: number;
  /** Turns after which the judge is asked even if nothing is suspected. */
  readonly unasked?: number;
}

type State = {
  /** Turns since the prompt. */
  readonly turn: number;
  /** The turn before which the judge was last asked; 0 for never. */
  readonly asked: number;
  /** The turn before which the judge was asked the question that it answered last; 0 for never. */
  readonly answered: number;
  /** How many turns must pass before the judge is asked again. */
  readonly gap: number;
  /** How many times in a row the judge saw no loop. */
  readonly calm: number;
  /** The turn in which something was last suspected; 0 for none. */
  readonly suspected: number;
  /** The turn in which the engine itself was last sure; 0 for none. */
  readonly sure: number;
};

/** A suspicion or a certainty is over if it was not renewed for more turns than this. */
const memory = 2;
/** More calm answers than this do not make questions any rarer. */
const mostCalm = 4;
const fresh: State = { turn: 0, asked: 0, answered: 0, gap: 0, calm: 0, suspected: 0, sure: 0 };

/**
 * Asks when there is a reason: before the turn after a suspicion, unless the engine is already sure and the guard acts.
 * The less of a loop the judge saw, the longer the next question waits, and twice as long with each calm answer in a
 * row; while nothing is suspected, it is hardly ever asked. A prompt starts the schedule again, unless the prompt
 * itself leads to a suspicion: in talk that goes in circles, the user takes part too.
 */
export function evidenceSchedule({ shortest = 3, longest = 15, unasked = 60 }: EvidenceScheduleOptions = {}): Schedule {
  requireInteger('evidenceSchedule: shortest', shortest, 1);
  requireInteger('evidenceSchedule: longest', longest, shortest);
  requireInteger('evidenceSchedule: unasked', unasked, longest);

  function isTime({ turn, asked, gap, calm, suspected, sure }: State): boolean {
    const since = turn - asked;
    if (since < shortest && asked > 0) return false;
    if (isRecent(sure, turn)) return false;
    return isRecent(suspected, turn) ? since >= gap : since >= unasked * 2 ** calm;
  }

  function afterAnswer(state: State, confidence: number): State {
    if (!(confidence >= 0 && confidence <= 1) || state.answered === state.asked) return state;
    const calm = confidence < 0.5 ? Math.min(mostCalm, state.calm + 1) : 0;
    const gap = Math.round(shortest + (longest - shortest) * (1 - confidence)) * 2 ** Math.max(0, calm - 1);
    return { ...state, answered: state.asked, calm, gap };
  }

  const schedule: Schedule<State> = {
    start: () => fresh,
    next(state, event, findings) {
      if (event.type === 'prompt') return weigh(fresh, findings) === fresh ? fresh : weigh(state, findings);
      if (event.type === 'opinion') return afterAnswer(state, event.confidence);
      if (event.type !== 'turn-start') return findings.length === 0 ? state : weigh(state, findings);
      const next = weigh({ ...state, turn: state.turn + 1 }, findings);
      return isTime(next) ? { ...next, asked: next.turn } : next;
    },
    isDue: ({ turn, asked }) => turn > 0 && asked === turn,
  };
  return schedule as Schedule<State> & Schedule;
}

/** The opinion of a judge is not a reason to ask the judge. */
function weigh(state: State, findings: readonly Finding[]): State {
  const others = findings.filter(({ kind }) => kind !== 'judged');
  if (others.some(({ status }) => status === 'looping')) return { ...state, sure: state.turn, suspected: 0 };
  return others.length === 0 ? state : { ...state, suspected: state.turn };
}

function isRecent(turn: number, now: number): boolean {
  return turn > 0 && now - turn <= memory;
}
