import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { commandNames, isCommand } from './commands.js';

const folder = new URL('../../', import.meta.url);
const manifest = JSON.parse(readFileSync(new URL('package.json', folder), 'utf8'));
const { contributes } = manifest;
const ours = commandNames.map((name) => `loopfuse.${name}`);

test('every command is contributed, and every contributed one is a command', () => {
  const contributed = contributes.commands.map(({ command }: { command: string }) => command);
  expect(contributed.sort()).toEqual([...ours].sort());
});

test('menus and keys refer to existing commands', () => {
  const menus = Object.values(contributes.menus).flat() as { command: string }[];
  for (const { command } of [...menus, ...contributes.keybindings]) expect(isCommand(command)).toBe(true);
});

test('the walkthrough and the welcome view refer to existing commands, or to those of the editor', () => {
  const steps = contributes.walkthroughs.flatMap(({ steps: all }: { steps: { description: string }[] }) => all);
  const texts = [
    ...steps.map((step: { description: string }) => step.description),
    ...contributes.viewsWelcome.map((one: { contents: string }) => one.contents),
  ];
  const linked = texts.flatMap((text) => [...text.matchAll(/command:([\w.]+)/g)].map(([, name]) => name as string));
  expect(linked.length).toBeGreaterThan(5);
  for (const name of linked)
    expect(isCommand(name) || name === 'vscode.openFolder' || name === 'loopfuse.sessions.focus').toBe(true);
});

test('the files named in the manifest exist', () => {
  const files = [
    manifest.icon,
    contributes.viewsContainers.activitybar[0].icon,
    ...contributes.walkthroughs[0].steps.map(({ media }: { media: { markdown: string } }) => media.markdown),
  ];
  expect(files.filter((file) => !existsSync(new URL(file, folder)))).toEqual([]);
});
