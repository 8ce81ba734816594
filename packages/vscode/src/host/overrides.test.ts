import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { settingsJsonSchema } from '@loopfuse/agent';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mirrored, overridesOf, userOnly } from './overrides.js';

const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
const { properties } = manifest.contributes.configuration as {
  properties: Record<string, { default?: unknown; scope: string }>;
};

test('the editor mirrors every setting of a settings file', () => {
  const known = Object.keys((settingsJsonSchema() as { properties: object }).properties);
  expect([...mirrored].sort()).toEqual(known.filter((name) => name !== '$schema').sort());
});

test('the manifest has exactly these settings, and one for prices', () => {
  expect(Object.keys(properties).sort()).toEqual([...mirrored, 'prices'].map((name) => `loopfuse.${name}`).sort());
});

test('the manifest matches the schema of the agent', () => {
  const script = fileURLToPath(new URL('../../scripts/manifest.mjs', import.meta.url));
  expect(execFileSync(process.execPath, [script, '--check'], { encoding: 'utf8' })).toBe('');
});

test('only the user can set where keys go and what runs without approval', () => {
  const scopes = Object.entries(properties).filter(([, { scope }]) => scope === 'machine');
  expect(scopes.map(([name]) => name).sort()).toEqual(userOnly.map((name) => `loopfuse.${name}`).sort());
  for (const name of ['approval', 'baseURL', 'apiKeyEnv', 'judge']) expect(userOnly).toContain(name);
});

test('settings that are not set in the editor are left to the files, whatever their default', () => {
  expect(overridesOf((name) => ({ value: properties[`loopfuse.${name}`]?.default, isSet: false }))).toEqual({});
  expect(
    overridesOf((name) => ({ value: properties[`loopfuse.${name}`]?.default, isSet: name !== 'disable' })),
  ).toEqual({});
});

test('settings that are set in the editor override the files unchanged', () => {
  fc.assert(
    fc.property(fc.subarray([...mirrored]), (set) => {
      const value = (name: string) => ({
        value: name === 'disable' ? false : `${name}!`,
        isSet: set.includes(name as 'model'),
      });
      expect(Object.keys(overridesOf(value)).sort()).toEqual([...set].sort());
    }),
  );
});
