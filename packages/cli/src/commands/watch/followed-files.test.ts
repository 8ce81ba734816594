import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { presets } from '../../presets.js';
import { findFiles } from '../../recorded/find-files.js';
import { followFiles } from './followed-files.js';

const root = mkdtempSync(join(tmpdir(), 'loopfuse-followed-'));
afterAll(() => rmSync(root, { recursive: true }));

/** Follows an empty folder; `look` gives the sessions that were warned of since the last look. */
function follow(clock: () => number = () => 0) {
  const folder = mkdtempSync(join(root, 'f-'));
  let warned: string[] = [];
  const files = followFiles({ preset: presets[0]!, clock, onAlarm: ({ session }) => void warned.push(session.id) });
  return {
    folder,
    put(name: string, text: string): string {
      const path = join(folder, name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
      return path;
    },
    /** As careful writers do it: another file takes the place of the old one. */
    replace(name: string, text: string): void {
      writeFileSync(join(folder, `${name}.tmp`), text);
      renameSync(join(folder, `${name}.tmp`), join(folder, name));
    },
    async look(): Promise<string[]> {
      await setTimeout(5); // the clocks of file systems are coarse
      await files.look((await findFiles([folder])).files);
      const now = warned;
      warned = [];
      return now;
    },
  };
}

type Round = (k: number, from: number) => object[];

const failing: Round = (k) => [
  { role: 'assistant', parts: [{ type: 'tool-call', id: `c${k}`, tool: 'bash', input: { command: 'make' } }] },
  { role: 'tool', results: [{ id: `c${k}`, tool: 'bash', output: 'no rule', status: 'failed' }] },
];

const prompt = { role: 'user', from: 'user', text: 'Build it.' };
const summary = { role: 'user', from: 'summary', text: 'It was tried.' };

function range(from: number, to: number, round: Round): object[] {
  return Array.from({ length: to - from }, (_, k) => round(from + k, from)).flat();
}

/** A session of our own agent. */
function own(id: string, history: readonly object[]): string {
  return `${JSON.stringify({ version: 1, id, root: '/x', createdAt: '2026-03-01', history })}\n`;
}

/** The same as a trace: lines that are added to. */
function trace(id: string, rounds: number, from = 0): string {
  const lines: object[] = from === 0 ? [{ loopfuse: 1, session: id, agent: 'toy' }] : [];
  for (let k = from; k < rounds; k++) {
    lines.push({ type: 'tool-call', id: `c${k}`, tool: 'bash', input: { command: 'make' } });
    lines.push({ type: 'tool-result', id: `c${k}`, output: 'no rule', failed: true });
  }
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

describe('a loop is reported once', () => {
  test('in whatever steps it comes, and however its file is written', async () => {
    const writings = ['append', 'rewrite', 'replace', 'document', 'document replaced'] as const;
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...writings),
        fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 5 }),
        async (writing, steps) => {
          const { folder, put, replace, look } = follow();
          await look();
          const warned: string[] = [];
          let rounds = 0;
          for (const step of steps) {
            const before = rounds;
            rounds += step;
            if (writing === 'append') appendFileSync(join(folder, 'a.jsonl'), trace('a', rounds, before));
            else if (writing === 'rewrite') put('a.jsonl', trace('a', rounds));
            else if (writing === 'replace') replace('a.jsonl', trace('a', rounds));
            else if (writing === 'document') put('a.json', own('a', [prompt, ...range(0, rounds, failing)]));
            else replace('a.json', own('a', [prompt, ...range(0, rounds, failing)]));
            warned.push(...(await look()));
          }
          rmSync(folder, { recursive: true });
          expect(warned).toEqual(rounds < 4 ? [] : ['a']); // a bare error four times over is a loop
        },
      ),
      { numRuns: 40 },
    );
  });

  test('where a copy of the file lies beside it for a moment', async () => {
    const { folder, put, look } = follow();
    await look();
    const path = put('a.json', own('a', [prompt, ...range(0, 5, failing)]));
    expect(await look()).toEqual(['a']);
    copyFileSync(path, join(folder, 'a.json.tmp'));
    expect(await look()).toEqual([]);
    rmSync(path);
    renameSync(join(folder, 'a.json.tmp'), path);
    put('a.json', own('a', [prompt, ...range(0, 7, failing)]));
    expect(await look()).toEqual([]);
  });

  test('also where the history was summarised meanwhile, and the next one is reported again', async () => {
    const { put, look } = follow();
    await look();
    put('a.json', own('a', [prompt, ...range(0, 6, failing)]));
    expect(await look()).toEqual(['a']);
    put('a.json', own('a', [summary, ...range(3, 7, failing)]));
    expect(await look()).toEqual([]);
    const reading: Round = (k) => [
      { role: 'assistant', parts: [{ type: 'tool-call', id: `r${k}`, tool: 'read', input: { path: 'a' } }] },
      { role: 'tool', results: [{ id: `r${k}`, tool: 'read', output: 'nothing new', status: 'ok' }] },
    ];
    put('a.json', own('a', [summary, { ...prompt, text: 'Read it.' }, ...range(0, 2, reading)]));
    expect(await look()).toEqual([]);
    put('a.json', own('a', [summary, { ...prompt, text: 'Read it.' }, ...range(0, 5, reading)]));
    expect(await look()).toEqual(['a']);
  });
});

describe('what was there before is no news', () => {
  test('but a loop that goes on is, in lines and in documents', async () => {
    const { folder, put, look } = follow();
    put('old.jsonl', trace('old', 6));
    put('old.json', own('document', [prompt, ...range(0, 6, failing)]));
    expect(await look()).toEqual([]);
    appendFileSync(join(folder, 'old.jsonl'), trace('old', 7, 6));
    put('old.json', own('document', [prompt, ...range(0, 7, failing)]));
    expect((await look()).sort()).toEqual(['document', 'old']);
  });

  test('nor is a rotated log; the new one with its name is', async () => {
    const { folder, put, look } = follow();
    put('a.jsonl', trace('first', 2));
    await look();
    renameSync(join(folder, 'a.jsonl'), join(folder, 'a.jsonl.1'));
    put('a.jsonl', trace('second', 6));
    expect(await look()).toEqual(['second']);
    appendFileSync(join(folder, 'a.jsonl.1'), trace('first', 6, 2));
    expect(await look()).toEqual(['first']);
    put('a.jsonl', trace('third', 6));
    expect(await look()).toEqual(['third']);
  });
});

describe('what is not made of lines is followed', () => {
  const fixture = (name: string) => fileURLToPath(new URL(`fixtures/${name}`, import.meta.url));

  test("opencode's database, by its write-ahead log", async () => {
    const { folder, look } = follow();
    const log = readFileSync(fixture('live.db-wal'));
    copyFileSync(fixture('live.db'), join(folder, 'opencode.db'));
    expect(await look()).toEqual([]);
    const warned: number[] = [];
    // Rounds of two commits each: a call begins, its result comes.
    for (const [k, end] of commitsOf(log).entries()) {
      writeFileSync(join(folder, 'opencode.db-wal'), log.subarray(0, end));
      for (const id of await look()) {
        expect(id).toBe('ses_live');
        warned.push(k);
      }
    }
    expect(warned).toEqual([5]); // with the third result
  });

  test("Gemini CLI's documents, which name the session behind its messages", async () => {
    const { put, look } = follow();
    const chat = (rounds: number) => {
      const messages: object[] = [{ id: 'u', type: 'user', content: 'Build it.' }];
      for (let k = 0; k < rounds; k++) {
        const result = [{ functionResponse: { response: { output: 'no rule' } } }];
        const call = { id: `c${k}`, name: 'shell', args: { command: 'make' }, status: 'error', result };
        messages.push({ id: `m${k}`, type: 'gemini', content: '', toolCalls: [call] });
      }
      return JSON.stringify({ messages, projectHash: 'abc', sessionId: 'gem' });
    };
    put('session-1.json', chat(2));
    expect(await look()).toEqual([]);
    put('session-1.json', chat(3).slice(0, 300)); // caught while it is written
    expect(await look()).toEqual([]);
    put('session-1.json', chat(5));
    expect(await look()).toEqual(['gem']);
    put('session-1.json', chat(8));
    expect(await look()).toEqual([]);
  });

  test("Cline's messages", async () => {
    const { put, look } = follow();
    const task = (rounds: number) => {
      const messages: object[] = [{ role: 'user', content: [{ type: 'text', text: '<task>Build it.</task>' }] }];
      for (let k = 0; k < rounds; k++) {
        const call = { type: 'tool_use', id: `c${k}`, name: 'run_commands', input: { commands: ['make'] } };
        const result = { type: 'tool_result', tool_use_id: `c${k}`, content: 'no rule', is_error: true };
        messages.push({ role: 'assistant', content: [call] }, { role: 'user', content: [result] });
      }
      return JSON.stringify({ version: 1, sessionId: 'cline-1', origin: { source: 'cli' }, messages }, null, 2);
    };
    put('cline-1/cline-1.messages.json', task(1));
    expect(await look()).toEqual([]);
    put('cline-1/cline-1.messages.json', task(4));
    expect(await look()).toEqual(['cline-1']);
    put('cline-1/cline-1.messages.json', task(6));
    expect(await look()).toEqual([]);
  });

  test("OpenHands' folders, to which a file is added for every event", async () => {
    const { put, look } = follow();
    let files = 0;
    const add = (event: object) => {
      const name = `event-${String(files).padStart(5, '0')}-e${files}.json`;
      const at = new Date(Date.UTC(2026, 0, 5, 10, 0, files)).toISOString();
      put(`s1/events/${name}`, JSON.stringify({ id: `e${files++}`, timestamp: at, ...event }));
    };
    const round = (id: string) => {
      const call = { tool_name: 'terminal', tool_call_id: id };
      const toolCall = { id, name: 'terminal', arguments: '{"command":"make"}' };
      add({ kind: 'ActionEvent', source: 'agent', thought: [], ...call, tool_call: toolCall });
      const content = [{ type: 'text', text: 'no rule' }];
      add({ kind: 'ObservationEvent', source: 'environment', ...call, observation: { content, exit_code: 2 } });
    };
    const content = [{ type: 'text', text: 'Build it.' }];
    add({ kind: 'MessageEvent', source: 'user', llm_message: { role: 'user', content } });
    round('c0');
    expect(await look()).toEqual([]);
    round('c1');
    expect(await look()).toEqual([]);
    round('c2');
    round('c3');
    expect(await look()).toEqual(['s1']);
    round('c4');
    expect(await look()).toEqual([]);
  });
});

test('what takes long to read as a whole is left alone for a while', async () => {
  let now = 0;
  const { put, look } = follow(() => ++now); // a reading takes one tick, so it rests for ten
  put('a.json', own('a', [prompt]));
  await look();
  put('a.json', own('a', [prompt, ...range(0, 5, failing)]));
  expect(await look()).toEqual([]);
  now += 10;
  expect(await look()).toEqual(['a']);
});

/** Where the transactions of a write-ahead log end. A frame with a size of the database in it ends one. */
function commitsOf(log: Buffer): number[] {
  const frame = 24 + log.readUInt32BE(8);
  const ends: number[] = [];
  for (let at = 32; at + frame <= log.length; at += frame) if (log.readUInt32BE(at + 4) > 0) ends.push(at + frame);
  return ends;
}

test('of very many files no more are read when it is to end', async () => {
  const folder = mkdtempSync(join(root, 'many-'));
  for (let k = 0; k < 200; k++) writeFileSync(join(folder, `${k}.jsonl`), '{"loopfuse":1,"session":"s"}\n');
  const files = followFiles({ preset: presets[0]!, onAlarm() {} });
  const ending = new AbortController();
  setImmediate(() => ending.abort()); // comes through only where the reading lets it
  await files.look((await findFiles([folder])).files, ending.signal);
  expect(files.size).toBeLessThan(200);
});

test.skipIf(process.getuid?.() === 0)('a file that may not be read is reported, once', async () => {
  const folder = mkdtempSync(join(root, 'forbidden-'));
  writeFileSync(join(folder, 'a.jsonl'), '{"loopfuse":1,"session":"s"}\n', { mode: 0 });
  const unreadable: string[] = [];
  const onUnreadable = ({ file }: { readonly file: string }) => void unreadable.push(file);
  const files = followFiles({ preset: presets[0]!, onAlarm() {}, onUnreadable });
  for (let k = 0; k < 2; k++) await files.look((await findFiles([folder])).files);
  expect(unreadable).toEqual([join(folder, 'a.jsonl')]);
});
