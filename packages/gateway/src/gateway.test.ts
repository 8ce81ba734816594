import { alternates, chants, innocent, loopsForever, protocols, recoversAfterSteer } from '@loopfuse/model-server';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { driveAgent } from './testing/drive-agent.js';
import { type Started, start } from './testing/start.js';

let started: Started | undefined;
afterEach(async () => {
  await started?.close();
  started = undefined;
});

const kinds = protocols.flatMap((protocol) => [true, false].map((stream) => ({ protocol, stream })));

describe.each(kinds)('over $protocol (stream: $stream), the gateway', ({ protocol, stream }) => {
  it('lets innocent work pass, with the requests as they came', async () => {
    started = await start(innocent());
    const results = ['# readme', '{"name":"x"}', 'src/index.js:1', 'export const main', 'written', '1 passed'];
    const run = (_: string, __: unknown, nth: number) => results[nth % results.length]!;
    const through = await driveAgent({ url: started.url, protocol, stream, run });
    const seen = started.model.requests.map(({ body }) => body);
    const direct = await driveAgent({
      url: started.model.url,
      protocol,
      stream,
      run,
      prompt: 'What does the main function do?',
    });
    expect(through.answers.map(({ text }) => text)).toEqual(direct.answers.map(({ text }) => text));
    expect(through.calls).toBe(direct.calls);
    expect(seen.length).toBe(through.answers.length);
    expect(started.events.filter(({ type }) => type === 'action')).toEqual([]);
  });

  it.each([
    ['repeats a call', loopsForever()],
    ['alternates between two', alternates()],
  ])('stops a model that %s, in order', async (_, script) => {
    started = await start(script);
    const { answers, calls } = await driveAgent({ url: started.url, protocol, stream, rounds: 30 });
    const last = answers.at(-1)!;
    expect(last.status).toBe(200);
    expect(last.broken).toBeUndefined();
    expect(last.text).toMatch(/Loopfuse stopped this run/);
    expect(last.calls).toEqual([]);
    expect(calls).toBeLessThan(14);
    const after = await driveAgent({
      url: started.url,
      protocol,
      stream,
      rounds: 1,
      prompt: 'What does the main function do?',
    });
    expect(after.answers[0]?.status).toBe(200);
  });

  it('gets a model that listens out of its loop', async () => {
    started = await start(recoversAfterSteer());
    const { answers } = await driveAgent({ url: started.url, protocol, stream, rounds: 30 });
    expect(answers.at(-1)?.text).toMatch(/You are right/);
    expect(started.model.requests.every(({ status }) => status === 200)).toBe(true);
    const actions = started.events.filter((event) => event.type === 'action');
    expect(actions.length).toBeGreaterThan(0);
    expect(actions.some(({ action }) => action === 'stop')).toBe(false);
  });

  it('cuts a chant in mid-answer', async () => {
    started = await start(chants({ times: 120, pace: { delay: 1 } }));
    const { answers } = await driveAgent({ url: started.url, protocol, stream });
    const text = answers.map((answer) => answer.text).join('');
    expect(text).toMatch(/Loopfuse stopped this run/);
    if (!stream) return;
    expect(text.length).toBeLessThan(2_400);
    const { requests } = started.model;
    await vi.waitFor(() => expect(requests.map(({ delivery }) => delivery)).toContain('gone'), { timeout: 15_000 });
  });

  it('counts what an answer used, also when the client leaves as soon as it is complete', async () => {
    started = await start(() => ({
      parts: [{ text: 'done' }],
      usage: { inputTokens: 70, outputTokens: 30, cachedTokens: 40, cacheWriteTokens: 20 },
    }));
    await driveAgent({ url: started.url, protocol, stream });
    const [session] = await started.gateway.sessions();
    const cacheWriteTokens = protocol === 'anthropic' ? 20 : 0; // the others do not tell
    const used = { inputTokens: 70, outputTokens: 30, cachedTokens: 40, cacheWriteTokens };
    expect(session?.about).toMatchObject({ ...used, models: [{ ...used, model: session?.about.model }] });
  });

  it('only watches in shadow', async () => {
    started = await start(loopsForever({ rounds: 12 }), { onLoop: 'shadow' });
    const { answers } = await driveAgent({ url: started.url, protocol, stream, rounds: 30 });
    expect(answers.at(-1)?.text).toBe('That is as far as I got.');
    expect(started.events.some(({ type }) => type === 'finding')).toBe(true);
    expect(started.events.some(({ type }) => type === 'action')).toBe(false);
  });
});

describe.each(protocols)('in a stream over %s, the gateway', (protocol) => {
  it('ends an answer that is under way when a person stops the session', async () => {
    const tale = Array.from({ length: 2_000 }, (_, k) => `Chapter ${k} is about ${k * 7}. `).join('');
    started = await start(() => ({ parts: [{ text: tale }], pace: { delay: 20 } }));
    const { gateway, events, model } = started;
    const asked = driveAgent({ url: started.url, protocol, stream: true, rounds: 1 });
    await vi.waitFor(() => expect(events.some(({ type }) => type === 'request')).toBe(true), { timeout: 15_000 });
    const [session] = await gateway.sessions();
    expect(await gateway.stop(session!.key, 'Enough.')).toBe(true);
    const { answers } = await asked;
    expect(answers[0]).toMatchObject({ status: 200, calls: [] });
    expect(answers[0]?.broken).toBeUndefined();
    expect(answers[0]?.text).toMatch(/stopped it in Loopfuse\. Enough\.$/);
    await vi.waitFor(() => expect(model.requests.map(({ delivery }) => delivery)).toEqual(['gone']), {
      timeout: 15_000,
    });
    const next = await driveAgent({ url: started.url, protocol, stream: true, rounds: 1 });
    expect(next.answers[0]?.status).toBeGreaterThanOrEqual(400);
    expect(model.requests).toHaveLength(1);
  });
});
