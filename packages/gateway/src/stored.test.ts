import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loopsForever, startModelServer } from '@loopfuse/model-server';
import { memoryStore, openStore } from '@loopfuse/store';
import { afterEach, describe, expect, it } from 'vitest';
import { before } from './testing/before.js';
import { driveAgent } from './testing/drive-agent.js';

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});

async function looping() {
  const model = await startModelServer({ script: loopsForever() });
  open.push(model);
  return model;
}

describe('gateways with a store', () => {
  it('decide together as one would alone', async () => {
    const model = await looping();
    const alone = await before(model.url);
    open.push(alone);
    const drive = (url: string) =>
      driveAgent({ url, protocol: 'anthropic', stream: true, rounds: 20, headers: { 'x-loopfuse-session': 's' } });
    const expected = await drive(alone.url);
    const store = memoryStore();
    const pair = [await before(model.url, { store }), await before(model.url, { store })];
    open.push(...pair);
    let turn = 0;
    const balancer = await balanced(() => pair[turn++ % 2]!.url);
    const together = await drive(balancer.url);
    expect(together.answers.map(({ text }) => text)).toEqual(expected.answers.map(({ text }) => text));
    expect(together.calls).toBe(expected.calls);
    const actions = pair.flatMap(({ events }) =>
      events.flatMap((event) => (event.type === 'action' ? [event.action] : [])),
    );
    const asked = alone.events.flatMap((event) => (event.type === 'action' ? [event.action] : []));
    expect(actions.sort()).toEqual(asked.sort());
  });

  it('go on where another process ended', async () => {
    const model = await looping();
    const folder = mkdtempSync(join(tmpdir(), 'loopfuse-gateway-'));
    const headers = { 'x-loopfuse-session': 's' };
    let rounds = 0;
    for (let round = 1; round <= 6; round++) {
      // Every request is served by a new gateway, which knows only what is on disk.
      const store = await openStore(`disk:${folder}`);
      const gateway = await before(model.url, { store });
      const { answers } = await driveAgent({
        url: gateway.url,
        protocol: 'openai-chat',
        stream: true,
        rounds: round,
        headers,
      });
      await gateway.close();
      rounds = round;
      if (answers.at(-1)?.status !== 200) break;
      if (answers.at(-1)?.text.includes('Loopfuse stopped')) break;
    }
    rmSync(folder, { recursive: true, force: true });
    expect(rounds).toBeLessThan(6);
  });
});

/** Sends each request to the next gateway. */
async function balanced(next: () => string) {
  const { listen } = await import('./listen.js');
  const listener = await listen((request) => {
    const { pathname, search } = new URL(request.url);
    return fetch(next() + pathname + search, {
      method: request.method,
      headers: request.headers,
      body: request.body,
      duplex: 'half',
    } as RequestInit);
  });
  open.push(listener);
  return listener;
}
