import type { Redis } from 'ioredis';
import { withoutPassword } from '../address.js';

/** A connection that fails at once while it is down, and reconnects by itself. */
export interface Connection {
  readonly client: Redis;
  /** Runs a command; an error names the server and the reason. */
  ask<Answer>(command: () => Promise<Answer>): Promise<Answer>;
  close(): void;
}

export interface ConnectionOptions {
  /** How long a command, and the first connection, may take. */
  readonly timeoutMs: number;
}

/** Loads the client when it is first needed, and does not wait for the server. */
export async function connect(url: string, { timeoutMs }: ConnectionOptions): Promise<Connection> {
  const { Redis } = await import('ioredis');
  let reason: Error | undefined;
  const client = new Redis(url, {
    commandTimeout: timeoutMs,
    connectTimeout: timeoutMs,
    enableOfflineQueue: false, // Better fail at once than answer when nobody waits any more.
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (times) => Math.min(times * 50, 1_000),
  });
  client.on('error', (error: Error) => {
    reason = error;
  });
  client.on('ready', () => {
    reason = undefined;
  });
  const first = firstConnection(client, timeoutMs);

  return {
    client,
    async ask(command) {
      await first;
      try {
        return await command();
      } catch (error) {
        const why = client.status === 'ready' ? error : (reason ?? new Error('the connection was lost'));
        throw Object.assign(new Error(`Redis at ${withoutPassword(url)}: ${(why as Error).message || codeOf(why)}`), {
          code: codeOf(why),
          cause: error,
        });
      }
    },
    close: () => client.disconnect(),
  };
}

/** Resolves when the server has answered, could not be reached, or took too long. */
function firstConnection(client: Redis, timeoutMs: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, timeoutMs);
    const settle = (): void => {
      clearTimeout(timer);
      resolve();
    };
    client.once('ready', settle);
    client.once('error', settle);
    client.once('end', settle);
  });
}

function codeOf(error: unknown): string {
  const { code, name } = error as { code?: string; name?: string };
  return code ?? name ?? 'unknown';
}
