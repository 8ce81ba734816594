import type { Redis } from 'ioredis';

/** The commands of our scripts. Each is one step for Redis: no command of another gateway runs between its lines. */
export interface Scripts {
  /** Takes the lock for a time, and reads; `undefined` if another caller has it. */
  acquire(value: string, lock: string, token: string, leaseMs: number): Promise<{ packed: Buffer | null } | undefined>;
  /** Returns whether the lock was still ours. Only then it makes the change and frees the lock. */
  finish(value: string, lock: string, token: string, packed: Buffer | '', expiryMs: number): Promise<boolean>;
  /** Returns whether the lock was still ours. */
  renew(lock: string, token: string, leaseMs: number): Promise<boolean>;
}

const acquire = `
if redis.call('SET', KEYS[2], ARGV[1], 'NX', 'PX', ARGV[2]) then
  return { redis.call('GET', KEYS[1]) }
end
return 0`;

// The token is the fence: a holder that was paused for longer than its lease finds another token or none, and changes
// nothing.
const finish = `
if redis.call('GET', KEYS[2]) ~= ARGV[1] then
  return 0
end
if ARGV[2] ~= '' then
  redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
end
redis.call('DEL', KEYS[2])
return 1`;

const renew = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then
  return 0
end
return redis.call('PEXPIRE', KEYS[1], ARGV[2])`;

export function scriptsOf(client: Redis): Scripts {
  client.defineCommand('loopfuseAcquire', { numberOfKeys: 2, lua: acquire });
  client.defineCommand('loopfuseFinish', { numberOfKeys: 2, lua: finish });
  client.defineCommand('loopfuseRenew', { numberOfKeys: 1, lua: renew });
  const defined = client as unknown as {
    loopfuseAcquireBuffer(...args: (string | number)[]): Promise<0 | [Buffer | null]>;
    loopfuseFinish(...args: (string | number | Buffer)[]): Promise<number>;
    loopfuseRenew(...args: (string | number)[]): Promise<number>;
  };
  return {
    async acquire(...args) {
      const answer = await defined.loopfuseAcquireBuffer(...args);
      return answer === 0 ? undefined : { packed: answer[0] ?? null };
    },
    finish: async (...args) => (await defined.loopfuseFinish(...args)) === 1,
    renew: async (...args) => (await defined.loopfuseRenew(...args)) === 1,
  };
}
