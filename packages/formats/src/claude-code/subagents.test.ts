import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { readSessions } from '../index.js';
import { sessionLogOf, subagentLogsOf } from './subagents.js';

const folder = mkdtempSync(join(tmpdir(), 'loopfuse-subagents-'));
afterAll(() => rmSync(folder, { recursive: true }));
const id = '0a1b2c3d-4e5f-4061-8071-2a3b4c5d6e7f';
const main = join(folder, `${id}.jsonl`);

function lines(agentId: string | undefined, calls: number): string {
  const at = (k: number) => new Date(Date.UTC(2026, 0, 1, 0, k)).toISOString();
  const common = (uuid: string, k: number) => ({
    uuid: `${agentId ?? 'main'}-${uuid}`,
    sessionId: id,
    timestamp: at(k),
    ...(agentId === undefined ? {} : { isSidechain: true, agentId }),
  });
  const lines: object[] = [{ ...common('p', 0), type: 'user', message: { role: 'user', content: 'Look for it.' } }];
  for (let k = 0; k < calls; k++) {
    const use = { type: 'tool_use', id: `${agentId}-${k}`, name: 'Grep', input: { pattern: 'x' } };
    const usage = { input_tokens: 10, output_tokens: 1 };
    lines.push(
      {
        ...common(`c${k}`, k),
        type: 'assistant',
        message: { id: `${agentId}-m${k}`, role: 'assistant', content: [use], usage },
      },
      {
        ...common(`r${k}`, k),
        type: 'user',
        message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: use.id, content: 'none' }] },
      },
    );
  }
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

mkdirSync(join(folder, id, 'subagents', 'nested'), { recursive: true });
writeFileSync(main, lines(undefined, 1).trimEnd());
writeFileSync(join(folder, id, 'subagents', 'agent-a1.jsonl'), lines('a1', 3));
writeFileSync(join(folder, id, 'subagents', 'agent-a1.meta.json'), '{}');
writeFileSync(join(folder, id, 'subagents', 'nested', 'agent-b2.jsonl'), `${lines('b2', 2)}{"type":\n`);

test('the files of sub-agents are lanes of their session, and what is broken in them is reported with their name', async () => {
  const calls = new Map<string, number>();
  const faults: unknown[] = [];
  const summary = await readSessions(main, {
    onEvent(event, session) {
      const lane = `${session.id} ${event.lane ?? ''}`;
      if (event.type === 'tool-call') calls.set(lane, (calls.get(lane) ?? 0) + 1);
    },
    onFault: ({ file, line }) => void faults.push([file, line]),
  });
  expect([...calls]).toEqual([
    [`${id} `, 1],
    [`${id} a1`, 3],
    [`${id} b2`, 2],
  ]);
  expect(summary).toMatchObject({ sessions: 1, calls: 6 });
  expect(faults).toEqual([[join(folder, id, 'subagents', 'nested', 'agent-b2.jsonl'), 6]]);
});

test('what cannot be read to its end among the files of sub-agents is reported, each with its name', async () => {
  const cut = mkdtempSync(join(folder, 'cut-'));
  const main = join(cut, `${id}.jsonl`);
  const subagents = join(cut, id, 'subagents');
  mkdirSync(subagents, { recursive: true });
  writeFileSync(main, lines(undefined, 1));
  const packed = gzipSync(lines('a1', 300));
  for (const name of ['agent-a1', 'agent-c3'])
    writeFileSync(join(subagents, `${name}.jsonl`), packed.subarray(0, packed.length >> 1));
  writeFileSync(join(subagents, 'agent-b2.jsonl'), lines('b2', 2));
  const faults: string[] = [];
  await readSessions(main, {
    onEvent() {},
    onFault: ({ file, message }) => void (message.includes('unpacked') && faults.push(basename(file))),
  });
  expect(faults).toEqual(['agent-a1.jsonl', 'agent-c3.jsonl']);
});

test('a file of a sub-agent knows its session’s log, and a log its sub-agents’ files', () => {
  const parts = subagentLogsOf(main);
  expect(parts).toHaveLength(2);
  for (const part of parts) expect(sessionLogOf(part)).toBe(main);
  expect(sessionLogOf(main)).toBeUndefined();
  expect(subagentLogsOf(join(folder, 'other.jsonl'))).toEqual([]);
});

test('named by itself, the file of a sub-agent is read as a session of its own', async () => {
  const sessions: unknown[] = [];
  await readSessions(join(folder, id, 'subagents', 'agent-a1.jsonl'), {
    onEvent() {},
    onEnd: ({ id, parent }) => void sessions.push([id, parent]),
  });
  expect(sessions).toEqual([[`${id}/a1`, id]]);
});

test('older versions wrote the files of sub-agents beside the session’s log: they are its lanes as well', async () => {
  const older = mkdtempSync(join(folder, 'older-'));
  const main = join(older, `${id}.jsonl`);
  const other = join(older, 'ffffffff-4e5f-4061-8071-2a3b4c5d6e7f.jsonl');
  writeFileSync(main, lines(undefined, 1));
  writeFileSync(other, lines(undefined, 1).replaceAll(id, basename(other, '.jsonl')));
  writeFileSync(join(older, 'agent-a1.jsonl'), lines('a1', 3));
  writeFileSync(join(older, 'agent-b2.jsonl'), lines('b2', 2));
  writeFileSync(join(older, 'agent-notes.jsonl'), '{"type":"user","sessionId":"x"}\n');
  const lanes: string[] = [];
  const { calls } = await readSessions(main, {
    onEvent: (event, session) => void lanes.push(`${session.id} ${event.lane ?? ''}`),
  });
  expect([...new Set(lanes)]).toEqual([`${id} `, `${id} a1`, `${id} b2`]);
  expect(calls).toBe(6);
  expect(subagentLogsOf(other)).toEqual([]);
  expect(sessionLogOf(join(older, 'agent-a1.jsonl'))).toBe(main);
  expect(sessionLogOf(join(older, 'agent-notes.jsonl'))).toBeUndefined();
  writeFileSync(join(older, 'agent-c3.jsonl'), lines('c3', 1)); // while somebody watches
  expect(subagentLogsOf(main).map((file) => basename(file))).toEqual([
    'agent-a1.jsonl',
    'agent-b2.jsonl',
    'agent-c3.jsonl',
  ]);
});
