/**
 * When the ancestors ask a judge about a request: first before its 30th turn, then every few turns, and more often the
 * surer the last answer was of a loop. It is a value; the functions return the next one.
 */
export interface JudgeSchedule {
  /** Turns since the prompt. */
  readonly turn: number;
  /** The turn before which the judge was last asked; 0 for never. */
  readonly asked: number;
  /** How many turns from one question to the next. */
  readonly interval: number;
}

const firstTurn = 30;
const firstInterval = 3;
const shortestInterval = 5;
const longestInterval = 15;
/** An answer above this is taken for a loop. */
export const sure = 0.9;

/** The schedule at a prompt. */
export function startSchedule(): JudgeSchedule {
  return { turn: 0, asked: 0, interval: firstInterval };
}

/** Counts a turn and, if a question is due, records it as asked. */
export function countTurn({ turn, asked, interval }: JudgeSchedule): JudgeSchedule {
  const now = turn + 1;
  const due = now >= firstTurn && now - asked >= interval;
  return { turn: now, asked: due ? now : asked, interval };
}

/** Whether the judge must be asked before the turn just counted. */
export function isDue({ turn, asked }: JudgeSchedule): boolean {
  return turn > 0 && asked === turn;
}

/** The schedule after an answer: the less sure the answer is of a loop, the longer until the next question. */
export function afterAnswer(schedule: JudgeSchedule, confidence: number): JudgeSchedule {
  if (isLoop(confidence) || !Number.isFinite(confidence)) return schedule;
  const interval = Math.round(shortestInterval + (longestInterval - shortestInterval) * (1 - confidence));
  return { ...schedule, interval };
}

export function isLoop(confidence: number): boolean {
  return confidence > sure;
}
