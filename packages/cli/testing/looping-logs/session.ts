/** One session in which an agent loops: a request, then equal calls that fail alike, a minute apart. */
export interface LoopingSession {
  readonly rounds: number;
  /** The numbers of the rounds. */
  readonly each: readonly number[];
  /** When a round is, as a date and in milliseconds. */
  at(round: number): string;
  millis(round: number): number;
}

/** Tokens of each answer. */
export const input = 100;
export const output = 10;
export const model = 'gpt-4.1';
export const request = 'Mend the build.';
export const said = 'I try again.';
export const failure = 'Error: there is no rule to make target all';
export const command = { command: 'make all' };

const began = Date.parse('2026-03-01T10:00:00Z');

export function loopingSession(rounds: number): LoopingSession {
  const millis = (round: number) => began + round * 60_000;
  return {
    rounds,
    each: Array.from({ length: rounds }, (_, k) => k),
    at: (round) => new Date(millis(round)).toISOString(),
    millis,
  };
}
