import type { Store, StoreFault } from '@loopfuse/store';
import { openStore } from '@loopfuse/store';
import { redisStore } from '@loopfuse/store/redis';
import { storeLaws } from '@loopfuse/testkit';
import { type RedisServer, startRedis } from '@loopfuse/testkit/redis-server';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { loops } from '../src/testing/loops.js';

let server: RedisServer;
let client: Redis;

beforeAll(async () => {
  server = await startRedis();
  client = new Redis(server.url);
});

beforeEach(async () => {
  await client.flushall();
});

afterAll(async () => {
  client.disconnect();
  await server.remove();
});

storeLaws(
  'Redis',
  () => ({
    open: (options) => openStore(server.url, options),
    async damage() {
      for (const key of await client.keys('loopfuse:session:*')) await client.set(key, 'not packed by us');
    },
    async outage() {
      await server.stop();
      return () => server.start();
    },
    async remove() {},
  }),
  { shared: true, loops, runs: 60 },
);

describe('in Redis', () => {
  let stores: Store[];
  let faults: StoreFault[];

  beforeEach(() => {
    stores = [];
    faults = [];
  });

  afterEach(async () => {
    for (const store of stores) await store.close();
  });

  function open(options: Partial<Parameters<typeof redisStore>[0]> = {}): Store {
    const store = redisStore({ url: server.url, pauseMs: 1, onFault: (fault) => faults.push(fault), ...options });
    stores.push(store);
    return store;
  }

  const count = (store: Store, key = 'count'): Promise<number> =>
    store.update(key, (saved) => {
      const next = ((saved as number | undefined) ?? 0) + 1;
      return { result: next, save: next };
    });

  test('every key expires by itself, and no lock stays', async () => {
    await count(open({ expirySeconds: 100 }));
    const keys = await client.keys('*');
    expect(keys.sort()).toEqual(['loopfuse:recent', 'loopfuse:session:{count}']);
    for (const key of keys) expect(await client.pttl(key)).toBeGreaterThan(90_000);
    for (const key of keys) expect(await client.pttl(key)).toBeLessThanOrEqual(100_000);
  });

  test('a gateway that died inside its turn holds the session up for its lease only', async () => {
    await count(open());
    await client.set('loopfuse:session:{count}:lock', 'of a dead one', 'PX', 300);
    expect(await count(open())).toBe(2);
    expect(faults).toEqual([]);
  });

  test('a turn may outlast its lease: its lock is renewed for as long as it lasts', async () => {
    const leaseMs = 1_500;
    const [slow, other] = [open({ leaseMs }), open({ leaseMs, waitMs: 60_000 })];
    const lock = 'loopfuse:session:{long}:lock';
    const order: string[] = [];
    let waiting: Promise<unknown> = Promise.resolve();
    await slow.update('long', async () => {
      waiting = other.update('long', (saved) => {
        order.push(`other after ${saved}`);
        return { result: 0 };
      });
      // A renewal sets the time that is left to the lease. It is made long first, so that no slow machine loses the lock.
      for (let renewals = 0; renewals < 3; renewals++) {
        await client.pexpire(lock, 100_000);
        while ((await client.pttl(lock)) > leaseMs) await new Promise((resolve) => setTimeout(resolve, 10));
        expect(await client.exists(lock)).toBe(1);
      }
      await client.pexpire(lock, 100_000);
      order.push('slow');
      return { result: 0, save: 'slow' };
    });
    await waiting;
    expect(order).toEqual(['slow', 'other after slow']);
    expect(faults).toEqual([]);
  });

  test('whoever lost the lock saves nothing', async () => {
    const store = open();
    await count(store);
    await store.update('count', async () => {
      await client.set('loopfuse:session:{count}:lock', 'of another one');
      return { result: 0, save: 99 };
    });
    expect(faults).toMatchObject([{ operation: 'save', message: expect.stringContaining('took the session over') }]);
    await client.del('loopfuse:session:{count}:lock');
    expect(await count(open())).toBe(2);
  });

  test('a Redis that hangs delays a request once, not every request', async () => {
    const store = open({ timeoutMs: 200, pauseMs: 60_000 });
    await count(store);
    server.freeze();
    try {
      expect(await count(store)).toBe(2);
      for (let k = 3; k < 50; k++) expect(await count(store)).toBe(k);
      expect(faults).toMatchObject([{ operation: 'load', message: expect.stringContaining('timed out') }]);
      expect(store.health.state).toBe('degraded');
    } finally {
      server.resume();
    }
  });

  test('a Redis that is not there when the first request comes is used when it is', async () => {
    await server.stop();
    const store = open();
    expect(await count(store)).toBe(1);
    expect(await count(store)).toBe(2);
    expect(faults[0]!.message).toMatch(
      /Redis at redis:\/\/127\.0\.0\.1:\d+.*ECONNREFUSED.*what this process remembers/,
    );
    await server.start();
    while (store.health.state === 'degraded') {
      await count(store);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    expect(await count(open())).toBeGreaterThan(3);
  });

  test('a Redis that is full keeps the last state, and the process goes on with the newer one', async () => {
    const store = open();
    await count(store);
    await client.config('SET', 'maxmemory', '1');
    try {
      expect(await count(store)).toBe(2);
      expect(await count(store)).toBe(3);
      expect(faults.map(({ message }) => message).join()).toContain('OOM');
    } finally {
      await client.config('SET', 'maxmemory', '0');
    }
    let last = 3;
    while (store.health.state === 'degraded') {
      last += 1;
      expect(await count(store)).toBe(last);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    expect(await count(open())).toBe(last + 1);
  });

  test('a Redis that is full still says what was saved', async () => {
    await count(open());
    await client.config('SET', 'maxmemory', '1');
    try {
      const late = open();
      expect(await count(late)).toBe(2);
      expect(await count(late)).toBe(3);
      expect(faults[0]!.message).toMatch(/OOM.*kept in this process only/);
    } finally {
      await client.config('SET', 'maxmemory', '0');
    }
    expect(await count(open())).toBe(2);
  });

  test('names of sessions that have expired do not pile up, though each process saves little', async () => {
    await client.zadd('loopfuse:recent', Date.now() - 200_000, 'expired', Date.now() - 50_000, 'kept');
    await count(open({ expirySeconds: 100 }));
    expect(await client.zrange('loopfuse:recent', '0', '-1')).toEqual(['kept', 'count']);
  });

  test('a Redis that came back empty is filled by the gateway that knows most', async () => {
    const [first, second] = [open(), open()];
    for (let k = 1; k <= 3; k++) expect(await count(first)).toBe(k);
    for (let k = 4; k <= 10; k++) expect(await count(second)).toBe(k);
    await client.flushall();
    expect(await count(first)).toBe(4); // It knows no better: the third was the last it saw.
    expect(await count(second)).toBe(11);
    expect(await count(first)).toBe(12);
    expect(faults).toEqual([]);
  });

  test('no message holds the password', async () => {
    const url = server.url.replace('redis://', 'redis://user:pass-word@');
    const store = open({ url });
    await count(store);
    expect(faults.length).toBeGreaterThan(0);
    expect(JSON.stringify(faults)).not.toContain('pass-word');
    expect(faults[0]!.message).toContain('user:***@');
  });

  test('keys hold only short harmless names', async () => {
    const store = open();
    for (const key of ['a}b{c', 'x'.repeat(500), 'line\nbreak', '{}']) await count(store, key);
    for (const key of await client.keys('loopfuse:session:*'))
      expect(key).toMatch(/^loopfuse:session:\{#[0-9a-f]{40}\}$/);
  });

  test('an address that is none is refused', () => {
    expect(() => redisStore({ url: 'http://127.0.0.1' })).toThrow('url must begin with redis:// or rediss://');
  });
});
