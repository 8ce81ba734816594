import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { eventProblem } from 'loopfuse';
import { describe, expect, it } from 'vitest';
import { formats } from '../index.js';
import { allFixtures } from '../testing/fixtures.js';
import { type AllRead, readBytes } from '../testing/read-fixture.js';

/** The first fixture of each format: what is spliced are the formats, not the sessions. */
const bytesOf = new Map<string, Buffer>();
for (const [format, file] of allFixtures()) if (!bytesOf.has(format)) bytesOf.set(format, readFileSync(file));
const pick = fc.constantFrom(...bytesOf.values());
const newline = 10;

/** Bytes of one file followed by bytes of another, cut anywhere. */
const glued = fc
  .tuple(pick, fc.nat(), pick, fc.nat())
  .map(([one, to, two, from]) =>
    Buffer.concat([one.subarray(0, to % (one.length + 1)), two.subarray(from % (two.length + 1))]),
  );

/** Lines of some files, in any order. */
const shuffled = fc
  .array(fc.tuple(pick, fc.nat()), { minLength: 1, maxLength: 60 })
  .map((places) => Buffer.concat(places.map(([file, at]) => lineAt(file, at % file.length))));

/** A piece of one file in the middle of another. */
const grafted = fc.tuple(pick, fc.nat(), pick, fc.nat(), fc.nat()).map(([host, at, guest, from, length]) => {
  const place = at % (host.length + 1);
  const start = from % guest.length;
  const piece = guest.subarray(start, start + (length % 5000));
  return Buffer.concat([host.subarray(0, place), piece, host.subarray(place)]);
});

function lineAt(file: Buffer, at: number): Buffer {
  const from = file.lastIndexOf(newline, at) + 1;
  const to = file.indexOf(newline, Math.max(at, from));
  return to < 0 ? Buffer.concat([file.subarray(from), Buffer.from('\n')]) : file.subarray(from, to + 1);
}

function inPieces(bytes: Buffer, cuts: readonly number[]): Buffer[] {
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  return places.slice(1).map((place, k) => bytes.subarray(places[k], place));
}

const linesOf = ({ sessions, faults, summary }: AllRead) => ({
  sessions: sessions.map(({ events }) => events),
  faults,
  summary,
});

describe('logs of different agents that are spliced', () => {
  it('are of every format', () => {
    expect([...bytesOf.keys()].sort()).toEqual([...new Set(formats.map(({ name }) => name))].sort());
  });

  it.each([
    ['glued together', glued],
    ['shuffled, line by line', shuffled],
    ['grafted into each other', grafted],
  ])('are read without a crash, to sound events, in whatever pieces they come: %s', async (_, bytes) => {
    await fc.assert(
      fc.asyncProperty(bytes, fc.array(fc.nat(), { maxLength: 6 }), async (spliced, cuts) => {
        const whole = await readBytes([spliced]);
        for (const { events } of whole.sessions)
          for (const event of events) expect(eventProblem(event)).toBeUndefined();
        for (const { message } of whole.faults) expect(message).not.toMatch(/undefined|\[object|is not a function/);
        expect(whole.sessions.reduce((sum, { events }) => sum + events.length, 0)).toBe(whole.summary.events);
        expect(linesOf(await readBytes(inPieces(spliced, cuts)))).toEqual(linesOf(whole));
      }),
      { numRuns: 200 },
    );
  });
});
