import { describe, expect, it } from 'vitest';
import { workspaceOf } from './workspace-of.js';

const said = (system: string, ...texts: string[]) =>
  workspaceOf({
    system,
    messages: texts.map((text) => ({ role: 'user', text, reasoning: '', calls: [], results: [] })),
  });

describe('workspaceOf', () => {
  it.each([
    ['a line of the system prompt', said(' - Primary working directory: /srv/app\n - Platform: linux')],
    ['a tag in a message', said('', '<environment_context>\n<cwd>/srv/app</cwd>')],
    ['a sentence', said('', 'I am currently working in the directory: /srv/app\nHere are the files')],
    ['a quoted path', said('The current working directory is: `/srv/app`.')],
  ])('reads the folder from %s', (_, found) => {
    expect(found).toBe('/srv/app');
  });

  it('is undefined if the prompt does not say it', () => {
    expect(said('You are an agent.', 'Fix it.')).toBeUndefined();
  });
});

it('reads a prompt of many blanks and tags at once', () => {
  for (const unit of ['\t', '<cwd>/', '<cwd>', 'cwd: '])
    expect(said(`<cwd>/srv/app${unit.repeat(100_000)}`, '<cwd>/srv/app </cwd>')).toMatch(/^\/srv\/app|^\//);
});
