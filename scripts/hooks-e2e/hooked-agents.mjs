import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { alternates, loopsForever } from '@loopfuse/model-server';
import { agents } from '../agents-e2e/agents.mjs';

const catalogue = (name) => fileURLToPath(new URL(`../../packages/hooks/catalogue/${name}`, import.meta.url));

/**
 * The agents that have hooks. `file` is what `loopfuse install` writes to, in the home folder; `settings` are what stands
 * there before (own loop detectors off, where that is possible). `ends`: whether a hook can end its run. `loop` is the
 * looping model, `more` are words that it needs before its request. `again` goes on with the last session. `pack` puts the
 * package for its own catalogue into a home folder, and `packed` are the words that name it.
 */
export const hookedAgents = [
  {
    name: 'claude-code',
    file: '.claude/settings.json',
    settings: {
      hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: 'true # mine' }] }] },
      includeCoAuthoredBy: false,
    },
    ends: true,
    again: (args) => ['--continue', ...args],
    pack: () => {},
    packed: (args) => ['--plugin-dir', catalogue('claude-code'), ...args],
  },
  {
    name: 'codex',
    file: '.codex/hooks.json',
    ends: false,
    more: (args) => [args[0], '--dangerously-bypass-hook-trust', ...args.slice(1)],
  },
  {
    name: 'gemini-cli',
    file: '.gemini/settings.json',
    settings: { model: { disableLoopDetection: true } },
    ends: true,
    pack: (home) => cpSync(catalogue('gemini-cli'), join(home, '.gemini/extensions/loopfuse'), { recursive: true }),
  },
  {
    name: 'qwen-code',
    file: '.qwen/settings.json',
    settings: { model: { skipLoopDetection: true }, $version: 4 }, // or it would write its version there itself
    ends: true,
    loop: alternates, // its own guard against identical calls cannot be turned off
  },
  {
    name: 'opencode',
    file: '.config/opencode/plugin/loopfuse.js',
    ends: true,
    endsWith: 1,
    pack: (home) => {
      const plugin = pathToFileURL(join(catalogue('opencode'), 'index.js')).href;
      writeFileSync(join(home, '.config/opencode/opencode.json'), JSON.stringify({ plugin: [plugin] }));
    },
  },
  { name: 'copilot', scanName: 'copilot-cli', file: '.copilot/hooks/loopfuse.json', ends: false },
].map((hooked) => ({
  loop: loopsForever,
  more: (args) => args,
  packed: (args) => args,
  endsWith: 0,
  ...hooked,
  agent: agents.find(({ name }) => name === (hooked.scanName ?? hooked.name)),
}));
