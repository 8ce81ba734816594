import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import fc from 'fast-check';
import { type AgentEvent, eventProblem, type Json } from 'loopfuse';
import { describe, expect, it } from 'vitest';
import type { Format } from '../format.js';
import { formats } from '../index.js';
import { headOf } from '../records/head.js';
import { fixturesOf } from './fixtures.js';
import { mutate, mutation } from './mutation.js';
import { type AllRead, readAll, readBytes } from './read-fixture.js';

export interface LawOptions {
  /** Whether a log that repeats every line gives no more events: true if lines have ids. */
  readonly repeats?: boolean;
  /** Whether results are paired with calls; traces are passed on as they are. */
  readonly paired?: boolean;
  /** Whether a file that is cut after a record gives the beginning of the same events. False if spans are sorted. */
  readonly prefix?: boolean;
}

/** The laws of every reader, tested on the fixtures in the folder `fixtures/` next to the test at `testUrl`. */
export function translatorLaws(
  name: string,
  testUrl: string,
  { repeats = false, prefix = true, paired = true }: LawOptions = {},
): void {
  const files = fixturesOf(testUrl);
  const own = formats.filter((format) => format.name === name);
  const texts = files.filter(isStream);

  describe(`the laws of ${name}`, () => {
    it('has fixtures', () => {
      expect(own.length).toBeGreaterThan(0);
      expect(files.length).toBeGreaterThan(0);
    });

    it.each(files.map((file) => [basename(file), file]))('yields valid events: %s', async (_, file) => {
      const read = await readAll(file);
      expectSound(read, paired);
      for (const { session } of read.sessions) expect(session.format).toBe(name);
    });

    it.each(texts.map((file) => [basename(file), file]))('does not care how the bytes are cut: %s', async (_, file) => {
      const bytes = readFileSync(file);
      const whole = await readBytes([bytes], { name: file, from: own });
      await fc.assert(
        fc.asyncProperty(fc.array(fc.nat(bytes.length), { maxLength: 40 }), async (cuts) => {
          const pieces = piecesOf(bytes, cuts);
          expect(eventsOf(await readBytes(pieces, { name: file, from: own }))).toEqual(eventsOf(whole));
        }),
        { numRuns: runs(10) },
      );
      if (bytes.length > 8000) return;
      const single = [...bytes].map((byte) => Buffer.from([byte]));
      expect(eventsOf(await readBytes(single, { name: file, from: own }))).toEqual(eventsOf(whole));
    });

    it.each(texts.map((file) => [basename(file), file]))('survives any damage: %s', async (_, file) => {
      const bytes = readFileSync(file);
      await fc.assert(
        fc.asyncProperty(fc.array(mutation, { minLength: 1, maxLength: 12 }), async (mutations) => {
          expectSound(await readBytes([damaged(bytes, mutations)], { name: file, from: own.map(eager) }), paired);
        }),
        { numRuns: runs(30) },
      );
      await fc.assert(
        fc.asyncProperty(fc.nat(bytes.length), fc.nat(bytes.length), async (from, to) => {
          const spliced = Buffer.concat([bytes.subarray(0, from), bytes.subarray(to)]);
          expectSound(await readBytes([spliced], { name: file, from: own.map(eager) }), paired);
        }),
        { numRuns: runs(15) },
      );
    });

    if (prefix)
      it.each(texts.map((file) => [basename(file), file]))(
        'reads a cut file as far as it goes: %s',
        async (_, file) => {
          const bytes = readFileSync(file);
          const whole = eventsOf(await readBytes([bytes], { name: file, from: own.map(eager) }));
          await fc.assert(
            fc.asyncProperty(fc.nat(bytes.length), async (at) => {
              const cut = bytes.subarray(0, bytes.lastIndexOf(10, at) + 1);
              const begun = eventsOf(await readBytes([cut], { name: file, from: own.map(eager) }));
              begun.forEach((events, k) => {
                const lasting = events.slice(0, events.findLastIndex((event) => !isClosing(event)) + 1);
                const same = whole[k]!.slice(0, lasting.length);
                const last = lasting.at(-1);
                // A text of several lines may be cut between them.
                if (last !== undefined && 'text' in last && last.type === same.at(-1)?.type) {
                  expect((same.pop() as { text?: string }).text?.startsWith(last.text ?? '')).toBe(true);
                  lasting.pop();
                }
                expect(same).toEqual(lasting);
              });
            }),
            { numRuns: runs(15) },
          );
        },
      );

    if (repeats)
      it.each(texts.map((file) => [basename(file), file]))('counts a repeated line once: %s', async (_, file) => {
        const lines = readFileSync(file, 'utf8').split('\n');
        const once = eventsOf(await readBytes([Buffer.from(lines.join('\n'))], { name: file, from: own }));
        const twice = lines.flatMap((line) => [line, line]).join('\n');
        expect(eventsOf(await readBytes([Buffer.from(twice)], { name: file, from: own }))).toEqual(once);
      });
  });
}

/** Formats that read a stream can be handed one; those that read files cannot. */
function isStream(file: string): boolean {
  const head = headOf(basename(file), readFileSync(file), true);
  const format = formats.find((one) => one.sniff(head));
  return format !== undefined && format.shape !== 'file';
}

/** More runs for a thorough search: `LAW_RUNS=20 npx vitest run packages/formats`. */
function runs(count: number): number {
  return count * Number(process.env.LAW_RUNS ?? 1);
}

/** Accepts every file, so that damage reaches the translator and not only `sniff`. */
function eager(format: Format): Format {
  return { ...format, sniff: (head) => format.sniff(head) || (format.shape !== 'file' && head.bytes.length > 0) };
}

function damaged(bytes: Buffer, mutations: readonly Parameters<typeof mutate>[1][number][]): Buffer {
  const text = bytes.toString('utf8');
  let value: Json;
  try {
    value = JSON.parse(text) as Json;
  } catch {
    const lines = text.split('\n').filter((line) => line !== '');
    const records = lines.map((line) => parse(line) ?? line);
    return Buffer.from(mutate(records, mutations).map(lineOf).join('\n'));
  }
  if (Array.isArray(value)) return Buffer.from(JSON.stringify(mutate(value, mutations)));
  const [mutant = null] = mutate(
    [value],
    mutations.filter(({ type }) => type === 'junk'),
  );
  return Buffer.from(JSON.stringify(mutant));
}

function lineOf(record: Json): string {
  return typeof record === 'string' ? record : JSON.stringify(record);
}

function parse(line: string): Json | undefined {
  try {
    return JSON.parse(line) as Json;
  } catch {
    return undefined;
  }
}

function piecesOf(bytes: Buffer, cuts: readonly number[]): Buffer[] {
  const at = [0, ...[...cuts].sort((a, b) => a - b), bytes.length];
  return at.slice(1).map((to, k) => bytes.subarray(at[k]!, to));
}

function eventsOf({ sessions }: AllRead): AgentEvent[][] {
  return sessions.map(({ events }) => [...events]);
}

/** Whether an event is one that the end of a file adds. */
function isClosing(event: AgentEvent): boolean {
  return event.type === 'turn-end' || event.type === 'usage';
}

/** Events are events, calls have names of their own, results answer calls, turns open and close. */
function expectSound({ sessions, summary }: AllRead, paired: boolean): void {
  const problems: string[] = [];
  let count = 0;
  for (const { session, events } of sessions) {
    const calls = new Set<string>();
    const open = new Set<string>();
    const turns = new Set<string>();
    if (session.events !== events.length) problems.push(`${session.id} counts ${session.events} events`);
    for (const event of events) {
      count++;
      const lane = event.lane ?? '';
      const problem = eventProblem(event);
      if (problem !== undefined) problems.push(problem);
      if (event.at !== undefined && !Number.isFinite(event.at)) problems.push(`time ${event.at}`);
      if (event.type === 'tool-call') {
        if (paired && calls.has(event.id)) problems.push(`two calls ${event.id}`);
        calls.add(event.id);
        open.add(event.id);
      } else if (event.type === 'tool-result') {
        if (paired && !open.delete(event.id)) problems.push(`a result of no call ${event.id}`);
      } else if (event.type === 'turn-start') {
        if (turns.has(lane)) problems.push(`a turn within a turn in lane "${lane}"`);
        turns.add(lane);
      } else if (event.type === 'turn-end') turns.delete(lane);
      else if (event.type === 'usage' && !(event.inputTokens + event.outputTokens > 0))
        problems.push('usage of nothing');
    }
    for (const lane of turns) problems.push(`a turn without an end in lane "${lane}"`);
  }
  if (summary.events !== count) problems.push(`the summary counts ${summary.events} events`);
  expect(problems).toEqual([]);
}
