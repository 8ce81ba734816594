import { createHash, randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type Backend, Busy, unlocked } from '../backend.js';
import { createStore, defaultExpirySeconds, defaultMostCharacters } from '../create-store.js';
import type { Store, StoreOptions } from '../store.js';
import { type Connection, connect } from './connection.js';
import { pack, unpack } from './packing.js';
import { recentIndex } from './recent-index.js';
import { type Scripts, scriptsOf } from './scripts.js';

export interface RedisStoreOptions extends StoreOptions {
  /** `redis://…`, or `rediss://…` for TLS. */
  readonly url: string;
  /** The prefix of every key. */
  readonly prefix?: string;
  /** How long a lock lasts after its holder is gone. While the holder lives, it is renewed. */
  readonly leaseMs?: number;
  /** How long to wait for an answer of Redis. */
  readonly timeoutMs?: number;
}

/** Keeps sessions in Redis, for several processes on several machines. Every key expires by itself. */
export function redisStore(options: RedisStoreOptions): Store {
  if (!/^rediss?:\/\//.test(options?.url ?? ''))
    throw new TypeError('redisStore: url must begin with redis:// or rediss://');
  // A password may hold a character that ends it in a URL; the rest is then read as something else. It is not quoted.
  if (!URL.canParse(options.url) || new URL(options.url).hash !== '')
    throw new TypeError(
      'redisStore: url must be an address such as redis://NAME:PASSWORD@HOST:6379. In a password, / ? # @ and % are written %2F %3F %23 %40 %25',
    );
  return createStore(redisBackend(options), options);
}

function redisBackend(options: RedisStoreOptions): Backend {
  const { url, prefix = 'loopfuse', leaseMs = 3_000, timeoutMs = 1_000 } = options;
  const { expirySeconds = defaultExpirySeconds, mostCharacters = defaultMostCharacters } = options;
  const expiryMs = Math.ceil(expirySeconds * 1_000);
  let opening: Promise<Connection & { readonly scripts: Scripts }> | undefined;

  function connection(): Promise<Connection & { readonly scripts: Scripts }> {
    opening ??= connect(url, { timeoutMs }).then((open) => ({ ...open, scripts: scriptsOf(open.client) }));
    return opening;
  }

  const index = recentIndex(prefix, expiryMs);
  const textIn = (packed: Buffer | null): string | undefined =>
    packed === null ? undefined : unpack(packed, mostCharacters);

  return {
    name: 'redis',
    async acquire(key, deadline) {
      const { client, ask, scripts } = await connection();
      const name = nameOf(key);
      const value = valueKey(prefix, name);
      const lock = `${value}:lock`;
      const token = randomBytes(12).toString('hex');
      for (let waitMs = 1; ; waitMs = Math.min(waitMs * 2, 32)) {
        let taken: Awaited<ReturnType<Scripts['acquire']>>;
        try {
          taken = await ask(() => scripts.acquire(value, lock, token, leaseMs));
        } catch (cause) {
          if ((cause as { code?: unknown }).code !== 'ReplyError') throw cause; // the server is down or hangs
          return unlocked(cause, async () => textIn(await ask(() => client.getBuffer(value))));
        }
        if (taken === undefined) {
          if (Date.now() >= deadline)
            throw new Busy(
              'another process has held the session for too long',
              textIn(await ask(() => client.getBuffer(value))),
            );
          await pause(waitMs * (0.5 + Math.random()));
          continue;
        }
        const renewal = setInterval(
          () => void ask(() => scripts.renew(lock, token, leaseMs)).catch(() => {}),
          leaseMs / 3,
        );
        renewal.unref();
        return {
          text: textIn(taken.packed),
          async finish(change) {
            clearInterval(renewal);
            const packed = change.type === 'keep' ? '' : pack(change.text);
            const finished = ask(() => scripts.finish(value, lock, token, packed, expiryMs));
            const listed = change.type === 'keep' ? undefined : ask(() => index.note(client, name, change.type));
            const [isOurs] = await Promise.all([finished, listed]);
            if (!isOurs) throw new Error('another process took the session over while this one stood still');
          },
        };
      }
    },
    async *recent() {
      const { client, ask } = await connection();
      for (let start = 0; ; start += 100) {
        const names = await ask(() => index.newest(client, start, 100));
        if (names.length === 0) return;
        const found = await Promise.all(names.map((name) => ask(() => client.getBuffer(valueKey(prefix, name)))));
        for (const packed of found) {
          const text = textIn(packed);
          if (text !== undefined) yield text;
        }
      }
    },
    async close() {
      (await opening)?.close();
    },
  };
}

/** The braces keep the value and its lock on the same node of a cluster. */
function valueKey(prefix: string, name: string): string {
  return `${prefix}:session:{${name}}`;
}

/** The key itself if it is harmless and short, else a hash. */
function nameOf(key: string): string {
  if (/^[\w.:-]{1,100}$/.test(key)) return key;
  return `#${createHash('sha256').update(JSON.stringify(key)).digest('hex').slice(0, 40)}`;
}
