import { balanced } from 'loopfuse/presets';
import { expect, test } from 'vitest';
import type { SessionFacts } from './session.js';
import { liveSessions } from './sessions.js';

const facts = (name: string, lastAt: number): SessionFacts => ({
  name,
  agent: '',
  model: '',
  startedAt: lastAt,
  lastAt,
  requests: 0,
  calls: 0,
  inputTokens: 0,
  outputTokens: 0,
  cachedTokens: 0,
  loops: 0,
  steers: 0,
  blocks: 0,
  stopped: '',
  announced: false,
});

function sessions(limits: { readonly mostSessions?: number; readonly expirySeconds?: number }) {
  const clock = { at: 0 };
  const live = liveSessions({
    optionsFor: () => ({ guarding: { detectors: balanced() } }),
    now: () => clock.at,
    ...limits,
  });
  const enter = async (key: string) => {
    const visit = await live.enter(key, () => facts(key, clock.at));
    return visit.work((session) => {
      session.about.requests++;
      session.about.lastAt = clock.at;
      return session.about.requests;
    });
  };
  return { clock, live, enter };
}

test('a session that was idle for too long starts afresh, and is kept from then on', async () => {
  const { clock, live, enter } = sessions({ expirySeconds: 10 });
  expect(await enter('one')).toBe(1);
  clock.at = 9_000;
  expect(await enter('one')).toBe(2);
  clock.at = 30_000;
  expect(await live.has('one')).toBe(false);
  expect(await enter('one')).toBe(1);
  expect(await enter('one')).toBe(2);
  expect(await live.list()).toHaveLength(1);
});

test('the session that was used least recently goes where there are too many', async () => {
  const { live, enter } = sessions({ mostSessions: 2 });
  for (const key of ['one', 'two', 'one', 'three']) await enter(key);
  expect((await live.list()).map(({ key }) => key)).toEqual(['three', 'one']);
  expect(await live.has('two')).toBe(false);
});
