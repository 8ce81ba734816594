import { createModel, type StoredKey } from '@loopfuse/agent';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decided, readFrom, readStoredKey, writeStoredKey } from './stored-key.js';

const usual = ['https://api.openai.com'];
const keyAt = (stored: StoredKey, baseURL: string) =>
  createModel({ provider: 'openai-compatible', model: 'm', baseURL }, {}, { OPENAI_API_KEY: stored }).apiKey;

test('a stored key is read back unchanged', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), fc.array(fc.webUrl()), (key, addresses) => {
      const stored = { key, addresses, refused: [] };
      expect(readStoredKey(writeStoredKey(stored), usual)).toEqual(stored);
    }),
  );
});

test('a key that was stored without an address is for the usual one of its provider', () => {
  expect(readStoredKey('sk-1', usual)).toEqual({ key: 'sk-1', addresses: usual });
  expect(readStoredKey('{broken', usual)).toEqual({ key: '{broken', addresses: usual });
  expect(readStoredKey('', usual)).toBeUndefined();
  expect(readStoredKey(undefined, usual)).toBeUndefined();
  expect(readStoredKey('{"key":5}', usual)).toBeUndefined();
});

test('a decision is valid for its address only', () => {
  const kept: StoredKey = { key: 'sk-1', addresses: usual };
  expect(() => keyAt(kept, 'http://evil.example/v1')).toThrow(/stored for https:\/\/api\.openai\.com.*evil\.example/);
  const allowed = decided(kept, 'http://mine.example:8080/v1', 'allowed');
  expect(keyAt(allowed, 'http://mine.example:8080/other')).toBe('sk-1');
  expect(keyAt(allowed, 'https://api.openai.com/v1')).toBe('sk-1');
  expect(() => keyAt(allowed, 'http://mine.example:9999/v1')).toThrow(/not sent there/);
  const refused = decided(allowed, 'http://mine.example:8080/v1', 'refused');
  expect(keyAt(refused, 'http://mine.example:8080/v1')).toBeUndefined();
  expect(keyAt(decided(refused, 'http://mine.example:8080/v1', 'allowed'), 'http://mine.example:8080')).toBe('sk-1');
});

test('a storage that cannot be read has no key, and the error is reported', async () => {
  const faults: unknown[] = [];
  const locked = new Error('the keyring is locked');
  const read = (get: () => Promise<string | undefined>) => readFrom(get, usual, (cause) => faults.push(cause));
  expect(await read(() => Promise.reject(locked))).toBeUndefined();
  expect(
    await read(() => {
      throw locked;
    }),
  ).toBeUndefined();
  expect(faults).toEqual([locked, locked]);
  expect(await read(async () => 'sk-1')).toEqual({ key: 'sk-1', addresses: usual });
});
