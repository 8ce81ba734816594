import { mkdtempSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chants, loopsForever } from '@loopfuse/model-server';
import fc from 'fast-check';
import type { AgentEvent } from 'loopfuse';
import { describe, expect, onTestFinished, test } from 'vitest';
import { scriptedChat } from '../testing/scripted-chat.js';
import { createLibrary } from './library.js';
import { loopsIn } from './loops-in.js';
import { isTrace, readRecordings } from './recording.js';
import { timelineOf } from './timeline.js';

function freshFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'loopfuse-vscode-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function looping(rounds: number): AgentEvent[] {
  const events: AgentEvent[] = [{ type: 'prompt', text: 'Find it\nplease' }];
  for (let k = 0; k < rounds; k++)
    events.push(
      { type: 'tool-call', id: `c${k}`, tool: 'grep', input: { pattern: 'x' } },
      { type: 'tool-result', id: `c${k}`, output: 'nothing' },
    );
  return events;
}

function traceFile(folder: string, name: string, ...sessions: (readonly AgentEvent[])[]): string {
  const lines = sessions.flatMap((events, nth) => [{ loopfuse: 1, session: `s${nth}`, agent: 'tester' }, ...events]);
  const file = join(folder, name);
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return file;
}

describe('the loops in a session', () => {
  test('are found once each, from their onset to where they were last seen', async () => {
    const loops = await loopsIn(looping(12));
    expect(loops).toHaveLength(1);
    expect(loops[0]).toMatchObject({ title: 'Repeated calls', until: 24 });
    expect(loops[0]?.message).toContain('grep');
  });

  test('include those in the messages of the guard, if the history does not show them', async () => {
    const steer: AgentEvent = { type: 'steer', text: '[Loop guard] You repeat yourself.' };
    expect(await loopsIn([{ type: 'prompt' }, { type: 'text', text: 'Hm.' }, steer])).toEqual([
      { title: 'The guard stepped in', message: 'You repeat yourself.', onset: 2, until: 2 },
    ]);
    expect(await loopsIn([...looping(12), steer])).toHaveLength(1);
  });

  test('are none if nothing repeats, however long it is', async () => {
    const work = Array.from(
      { length: 3000 },
      (_, k): AgentEvent => ({ type: 'usage', inputTokens: k, outputTokens: 1 }),
    );
    expect(await loopsIn(work)).toEqual([]);
  });
});

describe('a trace file', () => {
  test('is recognised by its first bytes, not by its name', async () => {
    const folder = freshFolder();
    expect(await isTrace(traceFile(folder, 'a.jsonl', looping(300)))).toBe(true);
    writeFileSync(join(folder, 'b.jsonl'), '{"level":"info","msg":"started"}\n');
    writeFileSync(join(folder, 'c.jsonl'), '');
    for (const name of ['b.jsonl', 'c.jsonl', 'none.jsonl', '.']) expect(await isTrace(join(folder, name))).toBe(false);
  });

  test('may hold several sessions', async () => {
    const file = traceFile(freshFolder(), 'a.jsonl', looping(2), looping(9));
    const recordings = await readRecordings(file);
    expect(recordings.map(({ session, events }) => [session.id, events.length])).toEqual([
      ['s0', 5],
      ['s1', 19],
    ]);
  });

  test('that is invalid is rejected with the reason', async () => {
    const file = join(freshFolder(), 'a.jsonl');
    writeFileSync(file, 'no\n');
    await expect(readRecordings(file)).rejects.toThrow(/a\.jsonl holds no session: /);
  });
});

describe('the library', () => {
  test('scans a file again only when it has changed', async () => {
    const folder = freshFolder();
    const file = traceFile(folder, 'a.jsonl', looping(2));
    const library = createLibrary();
    expect(library.known(file)).toBeUndefined();
    const first = await library.look(file);
    expect(first).toMatchObject([{ id: 's0', title: 's0', agent: 'tester', events: 5, loops: [] }]);
    expect(await library.look(file)).toBe(first);
    traceFile(folder, 'a.jsonl', looping(12));
    utimesSync(file, 1, 1);
    const [second] = await library.look(file);
    expect(second?.loops).toHaveLength(1);
    expect(library.known(file)?.[0]).toBe(second);
  });

  test('continues after a file that cannot be read', async () => {
    const folder = freshFolder();
    const library = createLibrary();
    const broken = library.look(join(folder, 'none.jsonl'));
    const file = traceFile(folder, 'a.jsonl', looping(2));
    const fine = library.look(file);
    await expect(broken).rejects.toThrow(/ENOENT/);
    expect(await fine).toHaveLength(1);
    expect(statSync(file).size).toBeGreaterThan(0);
  });

  test.each([
    ['Repeated calls', loopsForever()],
    ['The guard stepped in', chants()],
  ])('finds the loop in a session of our own that was halted for it: %s', async (title, script) => {
    const { chat, home, root, saved } = await scriptedChat(script, { settings: { policy: 'ask' } });
    await chat.send('Find the bug');
    const { sessionFolder, listSessions } = await import('@loopfuse/agent');
    const [summary] = await listSessions(sessionFolder(home, root));
    const [session] = await createLibrary().look(summary!.file);
    expect(session).toMatchObject({ id: (await saved())[0]!.id, agent: 'loopfuse', title: 'Find the bug' });
    expect(session?.loops.map((loop) => loop.title)).toEqual([title]);
  });
});

describe('a timeline', () => {
  const events: fc.Arbitrary<AgentEvent> = fc.oneof(
    fc.record({ type: fc.constant('text' as const), text: fc.string({ unit: 'binary' }) }),
    fc.record({ type: fc.constant('prompt' as const), text: fc.constantFrom('a\nb', 'a\r\nb\u2028c', '', '\0') }),
    fc.record({
      type: fc.constant('tool-call' as const),
      id: fc.string(),
      tool: fc.string(),
      input: fc.json().map((text) => JSON.parse(text)),
    }),
    fc.constantFrom<AgentEvent>({ type: 'retry' }, { type: 'compaction' }, { type: 'turn-end', reason: 'a\nb' }),
  );
  const session = { id: 's', agent: 'a', format: 'trace', file: 'f', events: 0 };

  test('has one line for each event, whatever line breaks its text has', () => {
    fc.assert(
      fc.property(fc.array(events, { maxLength: 20 }), (all) => {
        const { text, lineOf } = timelineOf({ session, events: all }, []);
        const lines = text.split(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/);
        all.forEach((_, seq) => {
          expect(lines[lineOf(seq)]?.trimStart().startsWith(`${seq} `)).toBe(true);
        });
        expect(lines).toHaveLength(lineOf(all.length) + 1);
      }),
    );
  });

  test('has its events on the right lines, whatever the name of the agent is', () => {
    const odd = { ...session, agent: 'a\nb', model: 'm\r\n', title: 't\u2028' };
    const { text, lineOf } = timelineOf({ session: odd, events: [{ type: 'retry' }] }, []);
    expect(text.split(/\r\n|[\n\r\u2028]/)[lineOf(0)]).toMatch(/^ {2}0 {2}the turn is tried again/);
  });

  test('marks nested and overlapping loops', () => {
    const all = Array.from({ length: 9 }, (): AgentEvent => ({ type: 'retry' }));
    const loops = [
      [1, 5],
      [3, 4],
      [3, 6],
      [8, 8],
    ].map(([onset, until]) => ({ title: '', message: '', onset: onset!, until: until! }));
    const { text, lineOf } = timelineOf({ session, events: all }, loops);
    const marks = text.split('\n').slice(lineOf(0), lineOf(9));
    expect(marks.map((line) => line[0]).join('')).toBe(' ▶┃▶┃┃┃ ▶');
  });

  test('marks where a loop began and how far it went', async () => {
    const all = looping(12);
    const loops = await loopsIn(all);
    const { text, lineOf } = timelineOf({ session, events: all }, loops);
    const { onset, until } = loops[0]!;
    const lines = text.split('\n');
    expect(lines[lineOf(onset)]).toMatch(/^▶ +\d+ {2}calls grep/);
    expect(lines[lineOf(onset - 1)]).toMatch(/^ /);
    expect(lines[lineOf(until)]).toMatch(/^┃/);
  });
});
