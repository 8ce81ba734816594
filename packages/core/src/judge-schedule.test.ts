import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { afterAnswer, countTurn, isDue, isLoop, startSchedule } from './judge-schedule.js';

/** The turns before which the judge is asked, given his answers; 'none' where he gives none. */
function askedAt(turns: number, answers: readonly (number | 'none')[]): number[] {
  let schedule = startSchedule();
  const asked: number[] = [];
  while (schedule.turn < turns) {
    schedule = countTurn(schedule);
    if (!isDue(schedule)) continue;
    const answer = answers[asked.length] ?? 'none';
    asked.push(schedule.turn);
    if (answer !== 'none') schedule = afterAnswer(schedule, answer);
  }
  return asked;
}

describe('the schedule of the judge', () => {
  test('asks before turn 30 for the first time, and every three turns where no answer comes', () => {
    expect(askedAt(40, [])).toEqual([30, 33, 36, 39]);
  });

  test.each<[number, number]>([
    [0, 15],
    [0.1, 14],
    [0.5, 10],
    [0.85, 7],
    [0.89, 6],
    [0.9, 6],
  ])('after an answer of %d asks again in %i turns', (confidence, interval) => {
    expect(askedAt(50, [confidence])[1]).toBe(30 + interval);
  });

  test('keeps its interval after an answer that is a loop, and after one that is no number', () => {
    expect(askedAt(60, [0.5, 0.95, Number.NaN])).toEqual([30, 40, 50, 60]);
  });

  test('takes only what is above 0.9 for a loop', () => {
    expect([0, 0.9, 0.900001, 1, Number.NaN].map(isLoop)).toEqual([false, false, true, true, false]);
  });

  test('never asks more often than every three turns, nor, once answered, more seldom than every fifteen', () => {
    const answers = fc.array(fc.oneof(fc.double({ min: 0, max: 1, noNaN: true }), fc.constant('none' as const)));
    fc.assert(
      fc.property(answers, (given) => {
        const asked = askedAt(200, given);
        asked.slice(1).forEach((turn, k) => {
          expect(turn - asked[k]!).toBeGreaterThanOrEqual(3);
          expect(turn - asked[k]!).toBeLessThanOrEqual(15);
        });
      }),
    );
  });
});
