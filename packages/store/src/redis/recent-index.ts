import type { Redis } from 'ioredis';

/** The names of the sessions by the time of their last save. One key for all of them, separate from the sessions. */
export interface RecentIndex {
  note(client: Redis, name: string, change: 'save' | 'remove'): Promise<unknown>;
  newest(client: Redis, start: number, count: number): Promise<string[]>;
}

/** Readers need only the newest ones. */
const mostNames = 10_000;
const savesBetweenTrims = 500;

export function recentIndex(prefix: string, expiryMs: number): RecentIndex {
  const key = `${prefix}:recent`;
  let saves = 0;
  return {
    note(client, name, change) {
      if (change === 'remove') return client.zrem(key, name);
      const at = Date.now();
      const commands = client.pipeline().zadd(key, at, name).pexpire(key, expiryMs);
      // At the first save too: there may be many processes that each save little.
      if (saves % savesBetweenTrims === 0)
        commands.zremrangebyscore(key, 0, at - expiryMs).zremrangebyrank(key, 0, -mostNames - 1);
      saves += 1;
      return commands.exec();
    },
    newest: (client, start, count) => client.zrevrange(key, start, start + count - 1),
  };
}
