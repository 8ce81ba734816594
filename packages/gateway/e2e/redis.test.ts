import { askModel, innocent, loopsForever, type Message } from '@loopfuse/model-server';
import { redisStore } from '@loopfuse/store/redis';
import { type RedisServer, startRedis } from '@loopfuse/testkit/redis-server';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { start } from '../src/testing/start.js';

let redis: RedisServer;
beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis.remove());

const empty = { text: '', reasoning: '', calls: [], results: [] };
const text = { type: 'string' };
const parameters = {
  read_file: { path: text },
  search_files: { pattern: text },
  write_file: { path: text, content: text },
  run_command: { command: text },
};
const tools = Object.entries(parameters).map(([name, properties]) => ({
  name,
  description: '',
  takes: 'object' as const,
  parameters: { type: 'object', properties, required: Object.keys(properties) },
}));

/** A conversation of which one more round can be had at a time: the same call brings the same result, another call another one. */
function conversation(url: string, session: string) {
  const messages: Message[] = [{ ...empty, role: 'user', text: 'What does the main function do?' }];
  const headers = { 'x-loopfuse-session': session };
  return async () => {
    const answer = await askModel({ url, protocol: 'anthropic', stream: true, messages, tools, headers });
    messages.push({ ...empty, role: 'assistant', text: answer.text, calls: answer.calls });
    const results = answer.calls.map(({ id, tool, input }) => ({ id, tool, text: `Done: ${JSON.stringify(input)}` }));
    if (results.length > 0) messages.push({ ...empty, role: 'tool', results });
    return answer;
  };
}

describe('a running gateway whose Redis is stopped and started', () => {
  test('answers every request, still breaks the loop, stops no other agent, and recovers by itself', async () => {
    const onFault = vi.fn();
    const onRecovery = vi.fn();
    const store = redisStore({ url: redis.url, pauseMs: 1, onFault, onRecovery });
    const looping = await start(loopsForever(), { store });
    const working = await start(innocent(), { store });
    try {
      const loop = conversation(looping.url, 'looping');
      const work = conversation(working.url, 'working');
      for (const round of [loop, work, loop, work]) expect((await round()).status).toBe(200);
      await redis.stop();
      let answer = await loop();
      for (let k = 0; k < 10 && answer.calls.length > 0; k++) {
        expect([answer.status, answer.broken]).toEqual([200, undefined]);
        answer = await loop();
      }
      expect(answer.text).toMatch(/Loopfuse stopped this run/);
      expect((await work()).status).toBe(200);
      expect(onFault).toHaveBeenCalled();
      expect(store.health.state).toBe('degraded');

      await redis.start();
      await vi.waitFor(
        async () => {
          await conversation(working.url, 'another')();
          expect(store.health.state).toBe('ok');
        },
        { timeout: 60_000, interval: 50 },
      );
      expect(onRecovery).toHaveBeenCalledTimes(1);
      expect((await work()).status).toBe(200);
      // What was decided while Redis was away holds: the session is stopped until somebody releases it.
      expect((await loop()).status).toBe(429);
      const [session] = (await looping.gateway.sessions()).filter(({ about }) => about.name === 'looping');
      expect(session?.about.stopped).not.toBe('');
      expect(working.events.filter(({ type }) => type === 'action')).toEqual([]);
    } finally {
      await looping.close();
      await working.close();
    }
  });
});
