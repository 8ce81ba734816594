import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import type { Json } from 'loopfuse';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPlugin, type PluginHooks } from './plugin.js';

let root: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'loopfuse-opencode-'));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

let homes = 0;
let calls = 0;

async function start(home = join(root, String(++homes))) {
  const aborted: string[] = [];
  const client = { session: { abort: async ({ path }: { path: { id: string } }) => aborted.push(path.id) } };
  const hooks = (await createPlugin('unattended', { HOME: home })({ client })) as PluginHooks;
  /** A call as opencode makes it: what becomes of it is its output, or the error of the one who refused it. */
  const act = async (input: string, output = 'same', { fails = false, session = 'ses' } = {}): Promise<string> => {
    const call = { tool: 'read', sessionID: session, callID: `call-${++calls}` };
    const args = { filePath: input };
    const failing = async (error: string): Promise<string> => {
      const part = { type: 'tool', tool: 'read', callID: call.callID, state: { status: 'error', input: args, error } };
      await hooks.event({ event: { type: 'message.part.updated', properties: { sessionID: session, part } } });
      return error;
    };
    try {
      await hooks['tool.execute.before'](call, { args });
    } catch (cause) {
      return failing((cause as Error).message);
    }
    if (fails) return failing(output);
    const result = { output };
    await hooks['tool.execute.after']({ ...call, args }, result);
    return result.output;
  };
  const say = async (delta: string, part = 'prt'): Promise<void> => {
    const of = (type: string, more: Json) => ({ type, properties: { sessionID: 'ses', ...(more as object) } as Json });
    await hooks.event({ event: of('message.part.updated', { part: { id: part, type: 'text', text: '' } }) });
    await hooks.event({ event: of('message.part.delta', { partID: part, field: 'text', delta }) });
  };
  return { hooks, act, say, aborted, home };
}

describe('the plugin for opencode', () => {
  test('as two copies, for the user and for the project, counts everything once', async () => {
    const one = await start();
    const two = await start(one.home);
    const answers: string[] = [];
    for (let k = 0; k < 4; k++) {
      const call = { tool: 'read', sessionID: 'ses', callID: `call-${k}` };
      const before = { args: { filePath: 'a' } };
      const after = { ...call, ...before };
      const result = { output: 'same' };
      try {
        for (const { hooks } of [one, two]) await hooks['tool.execute.before'](call, before);
        for (const { hooks } of [one, two]) await hooks['tool.execute.after'](after, result);
        answers.push(result.output);
      } catch (cause) {
        answers.push((cause as Error).message);
      }
    }
    expect(answers.slice(0, 2)).toEqual(['same', 'same']);
    expect(answers[2]).toMatch(/^same\n\nLoopfuse noticed a loop[^\n]*3 times in a row[^\n]*$/);
    expect(answers[3]).toMatch(/^Loopfuse noticed a loop/);
  });

  test('adds to a result, refuses a call, aborts the session; a new message starts over', async () => {
    const { act, aborted, hooks } = await start();
    const seen: string[] = [];
    while (aborted.length === 0 && seen.length < 20) seen.push(await act('a'));
    const acted = seen.filter((text) => text !== 'same');
    expect(acted[0]).toMatch(/^same\n\nLoopfuse noticed a loop/);
    expect(acted[1]).toMatch(/^Loopfuse noticed a loop/);
    expect([acted.length, aborted]).toEqual([3, ['ses']]);
    await hooks['chat.message']({ sessionID: 'ses' }, { parts: [{ type: 'text', text: 'go on' }] });
    expect(await act('b', 'other')).toBe('other');
  });

  test('reaches a model whose calls all fail by refusing the next one', async () => {
    const { act, aborted } = await start();
    const seen: string[] = [];
    for (let k = 0; k < 20 && aborted.length === 0; k++)
      seen.push(await act('a', 'ENOENT: no such file', { fails: true }));
    expect(seen.some((text) => text.startsWith('Loopfuse noticed a loop'))).toBe(true);
    expect(aborted).toEqual(['ses']);
  });

  test('stops a model that chants while it does', async () => {
    const { say, aborted } = await start();
    for (let k = 0; k < 3000 && aborted.length === 0; k++) await say('I will check the configuration once more. ');
    expect(aborted).toEqual(['ses']);
  });

  test('goes on in another process where the last one was', async () => {
    const one = await start();
    for (let k = 0; k < 2; k++) await one.act('a');
    const all: string[] = [];
    for (let k = 0; k < 4; k++) all.push(await (await start(one.home)).act('a', 'same'));
    expect(all.join('')).toContain('Loopfuse noticed a loop');
  });

  test('sessions are watched apart from each other', async () => {
    const { act } = await start();
    for (let k = 0; k < 12; k++) expect(await act('a', 'same', { session: `ses-${k}` })).toBe('same');
  });

  test('turned off it is empty', async () => {
    expect(await createPlugin('unattended', { LOOPFUSE_HOOK: 'off' })({})).toEqual({});
  });

  test('throws nothing at anything, and goes on without a disk, with a log where there is one', async () => {
    const file = join(root, 'no-folder');
    writeFileSync(file, '');
    const { hooks, act, home } = await start(join(file, 'home'));
    expect(await act('a')).toBe('same');
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), fc.jsonValue(), async (a, b) => {
        await hooks.event({ event: a as Json });
        await hooks['chat.message'](a as Json, b as Json);
        await hooks['tool.execute.before'](a as Json, b as Json);
        await hooks['tool.execute.after'](a as Json, b as never);
      }),
    );
    expect(() => readFileSync(join(home, '.loopfuse'))).toThrow('ENOTDIR');
  });
});
