import { withoutPassword } from '@loopfuse/store';
import { Redis } from 'ioredis';
import { UsageError } from '../../usage-error.js';

const patienceMs = 5_000;

export interface QueueConnection {
  readonly client: Redis;
  /** Ends this connection and all duplicates of it, whatever their state. */
  end(): void;
}

/**
 * Connects to the Redis of a queue. Throws `UsageError` if it cannot be reached. A connection that is lost later is
 * restored automatically; commands wait for it.
 */
export async function connectQueue(address: string): Promise<QueueConnection> {
  if (!/^rediss?:\/\//.test(address))
    throw new UsageError(
      `--queue: expected an address such as redis://127.0.0.1:6379, got ${JSON.stringify(address)}.`,
    );
  const client = new Redis(address, { lazyConnect: true, maxRetriesPerRequest: null, connectTimeout: patienceMs });
  let reason: Error | undefined;
  client.on('error', (error: Error) => {
    reason = error;
  });
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer in ${patienceMs / 1_000} seconds`)), patienceMs);
  });
  try {
    await Promise.race([client.connect(), late]);
    await Promise.race([client.ping(), late]);
    return { client, end: endsAll(client) };
  } catch (cause) {
    client.disconnect();
    const { message, code } = (reason ?? cause) as NodeJS.ErrnoException;
    throw new UsageError(`--queue: Redis at ${withoutPassword(address)} cannot be reached: ${message || code}.`);
  } finally {
    clearTimeout(timer);
  }
}

/** Waits for something, at most for so long, and leaves no timer behind that would keep the process. */
export async function atMost(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work, late]);
  clearTimeout(timer);
}

/** A queue makes connections of its own, and does not always end those that were lost at a bad moment. */
function endsAll(client: Redis): () => void {
  const all = [client];
  const duplicate = client.duplicate.bind(client);
  client.duplicate = (...args) => {
    const made = duplicate(...args);
    all.push(made);
    return made;
  };
  return () => {
    // One that has ended already would hold the process for two seconds more: it waits for its socket to close.
    for (const one of all) if (one.status !== 'end') one.disconnect();
  };
}
