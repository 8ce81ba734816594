import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withoutPassword } from './address.js';
import { memoryStore } from './memory.js';
import type { Store, StoreOptions } from './store.js';

const expected = 'expected memory:, disk:FOLDER or redis://HOST:PORT as a store';

/**
 * Opens the store that an address names: `memory:`, `disk:FOLDER`, or `redis://HOST:PORT/DATABASE`. The code of disk
 * and Redis stores is loaded only when it is needed.
 */
export async function openStore(address: string, options: StoreOptions = {}): Promise<Store> {
  if (typeof address !== 'string') throw new TypeError(`${expected}, got ${typeof address}`);
  if (address === 'memory:') return memoryStore(options);
  if (address.startsWith('disk:') && address.length > 'disk:'.length) {
    const { diskStore } = await import('./disk/index.js');
    return diskStore({ ...options, folder: folderIn(address) });
  }
  if (/^rediss?:\/\//.test(address)) {
    const { redisStore } = await import('./redis/index.js');
    return redisStore({ ...options, url: address });
  }
  throw new TypeError(`${expected}, got ${JSON.stringify(withoutPassword(address))}`);
}

/** `~` is the home folder, as in a shell, because no shell replaces it after `disk:`. */
function folderIn(address: string): string {
  if (address.startsWith('disk://')) return fileURLToPath(address.replace('disk:', 'file:'));
  const folder = address.slice('disk:'.length);
  return /^~($|[\\/])/.test(folder) ? join(homedir(), folder.slice(1)) : folder;
}
