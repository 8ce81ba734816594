import { originOf, type StoredKey } from '@loopfuse/agent';

/** A key as the secret storage keeps it: with the addresses that it may be sent to. */
export function writeStoredKey(stored: StoredKey): string {
  return JSON.stringify(stored);
}

/** What was kept, or nothing. A key alone, as earlier versions kept it, belongs to the usual address of its provider. */
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
 * Reads what a storage keeps. Where that fails (a keyring that is locked or gone) there is no key, and it is reported: a
 * model that needs none, or finds one in the environment, can be used all the same.
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

/** The key, which may be sent to an address from now on, or may not. */
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
