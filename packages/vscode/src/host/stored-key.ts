import { originOf, type StoredKey } from '@loopfuse/agent';

/** A key as text for the secret storage, with the addresses that it may be sent to. */
export function writeStoredKey(stored: StoredKey): string {
  return JSON.stringify(stored);
}

/** The stored key, if there is one. A bare key, as earlier versions stored it, is for the usual address of its provider. */
export function readStoredKey(text: string | undefined, usual: readonly string[]): StoredKey | undefined {
  if (text === undefined || text === '') return undefined;
  if (!text.startsWith('{')) return { key: text, addresses: usual };
  try {
    const { key, addresses, refused } = JSON.parse(text) as Record<string, unknown>;
    if (typeof key !== 'string' || key === '') return undefined;
    return { key, addresses: strings(addresses), refused: strings(refused) };
  } catch {
    return { key: text, addresses: usual };
  }
}

/**
 * Reads a key from the storage. If that fails (a keyring that is locked or missing), the error is reported and there is no key. A
 * model that needs none, or finds one in the environment, can still be used.
 */
export async function readFrom(
  get: () => PromiseLike<string | undefined>,
  usual: readonly string[],
  onFault: (cause: unknown) => void,
): Promise<StoredKey | undefined> {
  try {
    return readStoredKey(await get(), usual);
  } catch (cause) {
    onFault(cause);
    return undefined;
  }
}

/** The key with an address added to those that it may, or may not, be sent to. */
export function decided(stored: StoredKey, address: string, may: 'allowed' | 'refused'): StoredKey {
  const origin = originOf(address);
  const without = (all: readonly string[] = []) => all.filter((one) => one !== origin);
  const { key, addresses, refused } = stored;
  return may === 'allowed'
    ? { key, addresses: [...without(addresses), origin], refused: without(refused) }
    : { key, addresses: without(addresses), refused: [...without(refused), origin] };
}

function strings(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}
