import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createOverlay } from '../overlay.js';
import type { Launcher } from './agent.js';

/** Cline keeps base URLs in a file of its data folder, which a flag names. */
export const cline: Launcher = ({ args, cwd, env, home, mount }) => {
  const at = args.indexOf('--data-dir');
  const given = at < 0 ? undefined : args[at + 1];
  const source = given === undefined ? join(env.CLINE_DIR || join(home, '.cline'), 'data') : resolve(cwd, given);
  const changed = rewritten(join(source, 'settings/providers.json'), 'baseUrl', mount);
  if (changed === undefined)
    return { args, env: {}, remark: 'Cline is not guarded: no provider with a base URL is set (cline auth … -b URL).' };
  const { folder, remove } = createOverlay(source, 'settings/providers.json', changed);
  const rest = at < 0 ? args : args.filter((_, k) => k !== at && k !== at + 1);
  return { args: ['--data-dir', folder, ...rest], env: {}, end: remove };
};

/** Providers that pi knows by itself. */
const usual: Readonly<Record<string, string>> = {
  anthropic: 'https://api.anthropic.com',
  openai: 'https://api.openai.com/v1',
  google: 'https://generativelanguage.googleapis.com/v1beta',
};

/** pi keeps base URLs in a file of its agent folder, which a variable names. */
export const pi: Launcher = ({ args, env, home, mount }) => {
  const source = env.PI_CODING_AGENT_DIR || join(home, '.pi/agent');
  const own = JSON.parse(rewritten(join(source, 'models.json'), 'baseUrl', mount) ?? '{"providers":{}}');
  for (const [name, base] of Object.entries(usual)) own.providers[name] ??= { baseUrl: mount(base) };
  const { folder, remove } = createOverlay(source, 'models.json', JSON.stringify(own));
  return { args, env: { PI_CODING_AGENT_DIR: folder }, end: remove };
};

/** A file of JSON in which every base URL leads to the gateway; undefined where there is none. */
function rewritten(file: string, key: string, mount: (base: string) => string): string | undefined {
  if (!existsSync(file)) return undefined;
  let found = 0;
  const value = JSON.parse(readFileSync(file, 'utf8'), (name, inner) => {
    if (name !== key || typeof inner !== 'string' || !URL.canParse(inner)) return inner;
    found++;
    return mount(inner);
  });
  return found === 0 ? undefined : JSON.stringify(value);
}
