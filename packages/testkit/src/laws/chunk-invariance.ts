import fc from 'fast-check';
import type { AgentEvent } from 'loopfuse';
import { cuts, everyCharacter, type Recut, recut } from '../arbitraries/cuts.js';
import { type LawOptions, lawSessions, type MakeDetectors, prove } from './law.js';
import { assertNoFaults, assertSame, essence, play } from './play.js';

/**
 * The same text in one delta, in many or character by character gives the same findings at the same characters: the
 * pieces of a delta together give the findings of the delta. Throws otherwise.
 */
export function checkChunkInvariance(make: MakeDetectors, options: LawOptions = {}): void {
  const { tools } = options;

  function findingsOf(events: readonly AgentEvent[]) {
    const { findings, faults } = play(make(), events, tools);
    assertNoFaults(faults, 'chunk invariance');
    return findings.map((found) => found.map(essence));
  }

  function gathered({ events, origin }: Recut, length: number) {
    const whole: ReturnType<typeof essence>[][] = Array.from({ length }, () => []);
    findingsOf(events).forEach((found, k) => {
      whole[origin[k]!]!.push(...found);
    });
    return whole;
  }

  prove('chunk invariance', fc.tuple(lawSessions(options), cuts()), options, ([session, cut]) => {
    const expected = findingsOf(session);
    const pieces = recut(session, cut);
    assertSame(gathered(pieces, session.length), expected, 'chunk invariance: other cuts gave other findings');
    const characters = recut(pieces.events, everyCharacter);
    assertSame(
      gathered(characters, pieces.events.length),
      findingsOf(pieces.events),
      'chunk invariance: the findings did not come at the same characters',
    );
    return expected.flat().length;
  });
}
