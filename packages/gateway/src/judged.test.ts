import { startModelServer } from '@loopfuse/model-server';
import { memoryStore } from '@loopfuse/store';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { before } from './testing/before.js';
import { driveAgent } from './testing/drive-agent.js';

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});

const stuck = { analysis: 'It reads one file after the other and learns nothing.', confidence: 0.95 };
/** Wants an opinion before the third turn and all that follow. */
const schedule = {
  start: () => ({ turn: 0 }),
  next: (state: { readonly [name: string]: number }, { type }: { type: string }) =>
    type === 'turn-start' ? { turn: state.turn! + 1 } : state,
  isDue: ({ turn }: { readonly [name: string]: number }) => turn! >= 3,
};

async function varied() {
  const model = await startModelServer({
    script: ({ turn }) => ({ parts: [{ call: { tool: 'read_file', input: { path: `file-${turn * 7}.md` } } }] }),
  });
  open.push(model);
  return model;
}

const run = (_: string, __: unknown, nth: number) => `${'abcdefghijklmnop'[nth]} was found in line ${nth * 31}`;

describe.each([
  ['in this process', {}],
  ['in a store', { store: memoryStore() }],
])('with a judge and sessions %s, the gateway', (_, where) => {
  it('acts on an opinion with the requests that follow', async () => {
    const model = await varied();
    const gateway = await before(model.url, { ...where, judge: { ask: async () => stuck, schedule } });
    open.push(gateway);
    const headers = { 'x-loopfuse-session': 'one' };
    await driveAgent({ url: gateway.url, protocol: 'anthropic', stream: true, rounds: 4, run, headers });
    expect(JSON.stringify(model.requests.at(-1)!.body)).toContain(stuck.analysis);
    expect(gateway.events).toContainEqual(expect.objectContaining({ type: 'action', action: 'steer' }));
    const judged = expect.objectContaining({ kind: 'judged', status: 'looping' });
    expect(gateway.events).toContainEqual(expect.objectContaining({ type: 'finding', finding: judged }));
  });

  it('does not let a request wait for the judge, and asks one question at a time', async () => {
    const model = await varied();
    const ask = vi.fn(() => new Promise(() => {}));
    const gateway = await before(model.url, { ...where, judge: { ask, schedule } });
    open.push(gateway);
    const headers = { 'x-loopfuse-session': 'three' };
    const { calls } = await driveAgent({ url: gateway.url, protocol: 'gemini', stream: true, rounds: 6, run, headers });
    expect(calls).toBe(6);
    expect(ask).toHaveBeenCalledTimes(1);
  });

  it('goes on when the judge fails', async () => {
    const model = await varied();
    const ask = async () => {
      throw Object.assign(new Error('no such model for SECRET'), { statusCode: 404 });
    };
    const gateway = await before(model.url, { ...where, judge: { ask, schedule } });
    open.push(gateway);
    const headers = { 'x-loopfuse-session': 'two' };
    const { calls, answers } = await driveAgent({
      url: gateway.url,
      protocol: 'openai-chat',
      stream: true,
      rounds: 6,
      run,
      headers,
    });
    expect(calls).toBe(6);
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    await vi.waitFor(
      () =>
        expect(gateway.events).toContainEqual(
          expect.objectContaining({ type: 'fault', message: 'the judge gave no opinion (status 404)' }),
        ),
      { timeout: 15_000 },
    );
  });
});

it.each([
  [
    'says nothing that can be read',
    { ask: async (): Promise<string> => 'I would rather not say SECRET.' },
    'its answer could not be read',
  ],
  ['does not answer', { ask: (): Promise<string> => new Promise(() => {}), timeoutMs: 1 }, 'it took too long'],
])('the gateway says in words that a judge %s, and does not quote it', async (_, judge, why) => {
  const model = await varied();
  const gateway = await before(model.url, { judge: { ...judge, schedule } });
  open.push(gateway);
  await driveAgent({ url: gateway.url, protocol: 'openai-chat', stream: true, rounds: 4, run });
  await vi.waitFor(
    () =>
      expect(gateway.events).toContainEqual(
        expect.objectContaining({ type: 'fault', message: `the judge gave no opinion (${why})` }),
      ),
    { timeout: 10_000 },
  );
});
