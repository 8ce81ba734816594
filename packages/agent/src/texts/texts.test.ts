import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { systemPrompt } from '../system-prompt.js';
import { texts } from './texts.js';

test('the texts are those of the .md files; `npm run texts` writes them', () => {
  const source = fileURLToPath(new URL('..', import.meta.url));
  const names = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'));
  const files = Object.fromEntries(names.sort().map((name) => [name, readFileSync(join(source, name), 'utf8').trim()]));
  expect(texts).toEqual(files);
});

test('the system prompt names the workspace, whatever its name is', () => {
  expect(systemPrompt('/a/$& $1', 'linux')).toContain('the workspace /a/$& $1 on linux');
  expect(systemPrompt('/a')).not.toContain('{{');
});
