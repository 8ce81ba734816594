import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { messageOf } from 'loopfuse/words';
import { UsageError } from '../../../usage-error.js';
import { createOverlay } from '../overlay.js';
import type { Launcher } from './agent.js';

/** Cline keeps base URLs in a file of its data folder, which a flag names. */
export const cline: Launcher = ({ args, cwd, env, home, mount }) => {
  const at = args.indexOf('--data-dir');
  const given = at < 0 ? undefined : args[at + 1];
  const source = given === undefined ? join(env.CLINE_DIR || join(home, '.cline'), 'data') : resolve(cwd, given);
  const changed = rewritten(join(source, 'settings/providers.json'), mount);
  if (changed === undefined || changed.addresses === 0)
    return { args, env: {}, remark: 'Cline is not guarded: no provider with a base URL is set (cline auth … -b URL).' };
  const { folder, remove } = createOverlay(source, 'settings/providers.json', JSON.stringify(changed.value));
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
  const own = rewritten(join(source, 'models.json'), mount)?.value ?? {};
  const providers = { ...own.providers };
  for (const [name, base] of Object.entries(usual)) providers[name] = { baseUrl: mount(base), ...providers[name] };
  const { folder, remove } = createOverlay(source, 'models.json', JSON.stringify({ ...own, providers }));
  return { args, env: { PI_CODING_AGENT_DIR: folder }, end: remove };
};

interface Rewritten {
  readonly value: { readonly providers?: { readonly [name: string]: object } };
  /** How many addresses were rewritten. */
  readonly addresses: number;
}

/** A file of JSON in which every base URL leads to the gateway; undefined where there is no file. */
function rewritten(file: string, mount: (base: string) => string): Rewritten | undefined {
  if (!existsSync(file)) return undefined;
  let addresses = 0;
  const mounted = (name: string, inner: unknown) => {
    if (name !== 'baseUrl' || typeof inner !== 'string' || !URL.canParse(inner)) return inner;
    addresses++;
    return mount(inner);
  };
  try {
    return { value: JSON.parse(readFileSync(file, 'utf8'), mounted), addresses };
  } catch (cause) {
    throw cause instanceof UsageError ? cause : new UsageError(`run: ${file} cannot be read: ${messageOf(cause)}`);
  }
}
