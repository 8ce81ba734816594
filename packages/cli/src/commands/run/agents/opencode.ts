import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'jsonc-parser';
import type { Launcher } from './agent.js';

type Settings = { readonly [key: string]: unknown };

/** Providers that opencode knows by itself, with the base URLs that their SDKs use. */
const usual: Readonly<Record<string, string>> = {
  anthropic: 'https://api.anthropic.com/v1',
  openai: 'https://api.openai.com/v1',
  google: 'https://generativelanguage.googleapis.com/v1beta',
  openrouter: 'https://openrouter.ai/api/v1',
};

/** opencode takes settings from a variable, over those in its files: every provider there gets another base URL. */
export const opencode: Launcher = ({ args, env, home, cwd, upstream, mount }) => {
  const folder = join(env.XDG_CONFIG_HOME || join(home, '.config'), 'opencode');
  const given = parsed(env.OPENCODE_CONFIG_CONTENT ?? '{}');
  const files = [folder, cwd].flatMap((at) => ['opencode.json', 'opencode.jsonc'].map((name) => join(at, name)));
  const bases: Record<string, string> = { ...usual };
  for (const settings of [...files.map(readSettings), given])
    for (const [name, provider] of Object.entries(objectOf(settings.provider))) {
      const base = objectOf(objectOf(provider).options).baseURL;
      if (typeof base === 'string') bases[name] = base;
    }
  if (upstream !== undefined) for (const name of Object.keys(usual)) bases[name] = upstream;
  const provider: Record<string, unknown> = { ...objectOf(given.provider) };
  for (const [name, base] of Object.entries(bases)) {
    const own = objectOf(provider[name]);
    provider[name] = { ...own, options: { ...objectOf(own.options), baseURL: mount(base) } };
  }
  return { args, env: { OPENCODE_CONFIG_CONTENT: JSON.stringify({ ...given, provider }) } };
};

function readSettings(file: string): Settings {
  return existsSync(file) ? parsed(readFileSync(file, 'utf8')) : {};
}

/** As opencode reads it: with comments and commas before a closing bracket. */
function parsed(text: string): Settings {
  return objectOf(parse(text, [], { allowTrailingComma: true }));
}

function objectOf(value: unknown): Settings {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Settings) : {};
}
