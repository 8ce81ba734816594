import { fileURLToPath } from 'node:url';
import { withoutPassword } from './address.js';
import { memoryStore } from './memory.js';
import type { Store, StoreOptions } from './store.js';

/**
 * Opens the store that an address names: `memory:`, `disk:FOLDER`, or `redis://HOST:PORT/DATABASE`. Loads nothing of the
 * others.
 */
export async function openStore(address: string, options: StoreOptions = {}): Promise<Store> {
  if (address === 'memory:') return memoryStore(options);
  if (address.startsWith('disk:') && address.length > 'disk:'.length) {
    const { diskStore } = await import('./disk/index.js');
    return diskStore({ ...options, folder: folderIn(address) });
  }
  if (/^rediss?:\/\//.test(address)) {
    const { redisStore } = await import('./redis/index.js');
    return redisStore({ ...options, url: address });
  }
  throw new TypeError(
    `expected memory:, disk:FOLDER or redis://HOST:PORT as a store, got ${JSON.stringify(withoutPassword(address))}`,
  );
}

function folderIn(address: string): string {
  return address.startsWith('disk://')
    ? fileURLToPath(address.replace('disk:', 'file:'))
    : address.slice('disk:'.length);
}
