import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { say } from '../../testkit/src/model-server/index.js';
import { projectMemory } from './project-memory.js';
import { systemPrompt } from './system-prompt.js';
import { freshFolder } from './testing/folders.js';
import { collect, scriptedAgent } from './testing/scripted-agent.js';

function folders(): { readonly root: string; readonly outside: string } {
  const base = freshFolder();
  for (const name of ['root', 'outside']) mkdirSync(join(base, name));
  return { root: join(base, 'root'), outside: join(base, 'outside') };
}

test('the model reads AGENTS.md', async () => {
  const { another, server, root } = await scriptedAgent(() => say('Yes.'));
  writeFileSync(join(root, 'AGENTS.md'), '# Rules\n\nUse tabs for $& everything.\n');
  await collect(another().sendMessageStream('Do you know the rules?'));
  expect(server.requests[0]?.turn?.system).toMatch(/^You are a coding agent[\s\S]*Use tabs for \$& everything\.$/);
});

test('a project without one, or with an empty one, adds nothing', () => {
  const { root } = folders();
  expect(projectMemory(root)).toBeUndefined();
  writeFileSync(join(root, 'AGENTS.md'), ' \n');
  expect(projectMemory(root)).toBeUndefined();
  expect(systemPrompt(root, 'linux', undefined)).not.toContain('AGENTS.md');
});

test('a link within the workspace counts, one that leads out, a folder or a huge file does not', () => {
  const { root, outside } = folders();
  const file = join(root, 'AGENTS.md');
  writeFileSync(join(root, 'CLAUDE.md'), 'Use tabs.');
  writeFileSync(join(outside, 'secret'), 'Not yours.');
  symlinkSync('CLAUDE.md', file);
  expect(projectMemory(root)).toBe('Use tabs.');
  rmSync(file);
  symlinkSync(join(outside, 'secret'), file);
  expect(projectMemory(root)).toBeUndefined();
  rmSync(file);
  mkdirSync(file);
  expect(projectMemory(root)).toBeUndefined();
  rmSync(file, { recursive: true });
  writeFileSync(file, 'x'.repeat(1_000_001));
  expect(projectMemory(root)).toBeUndefined();
});

test('a long one is cut, with a note on how to read the rest', () => {
  const { root } = folders();
  writeFileSync(join(root, 'AGENTS.md'), 'word '.repeat(10_000));
  const memory = projectMemory(root)!;
  expect(memory.length).toBeLessThan(25_000);
  expect(memory).toContain('more characters were cut off. read_file shows all of AGENTS.md.');
});
