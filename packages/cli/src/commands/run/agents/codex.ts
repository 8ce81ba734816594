import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Launcher } from './agent.js';

/**
 * Codex reads no variable: its base URLs are settings, given with `-c` or in `config.toml`. Those in the arguments are
 * rewritten; otherwise the provider in use gets another base URL.
 */
export const codex: Launcher = ({ args, env, home, upstream, mount }) => {
  let rewritten = 0;
  const own = args.map((arg, k) =>
    isSetting(arg, args[k - 1])
      ? arg.replace(baseUrl, (_, name, quote, base) => {
          rewritten++;
          return `${name}${quote}${mount(base)}${quote}`;
        })
      : arg,
  );
  if (rewritten > 0) return { args: own, env: {} };
  const file = join(env.CODEX_HOME || join(home, '.codex'), 'config.toml');
  const settings = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const provider = providerOf(args, settings);
  const base = provider && baseUrlOf(settings, provider);
  const setting =
    provider !== undefined && base !== undefined
      ? `model_providers.${provider}.base_url="${mount(base)}"`
      : `openai_base_url="${mount(upstream ?? openaiBaseUrlOf(settings) ?? 'https://api.openai.com/v1')}"`;
  return { args: ['-c', setting, ...args], env: {} };
};

/** `openai_base_url="…"`, or `base_url` in the table of a provider; the value may stand without quotes. */
const baseUrl = /((?:\b|(?<=^-c))(?:openai_)?base_url\s*=\s*)(["']?)([^"',}\s]+)\2/;

/** Whether an argument is a setting, as in `-c NAME=VALUE`. Any other, such as the prompt, is left as it is. */
function isSetting(arg: string, before: string | undefined): boolean {
  return before === '-c' || before === '--config' || /^(?:-c|--config=)./.test(arg);
}

function providerOf(args: readonly string[], settings: string): string | undefined {
  const given = args.flatMap((arg) => /^model_provider="?([\w-]+)"?$/.exec(arg)?.[1] ?? []).at(-1);
  return given ?? /^model_provider\s*=\s*"([\w-]+)"/m.exec(settings)?.[1];
}

/** The base URL in the table of a provider: the lines up to the next table. */
function baseUrlOf(settings: string, provider: string): string | undefined {
  let inside = false;
  for (const line of settings.split('\n')) {
    if (line.startsWith('[')) inside = line.trim() === `[model_providers.${provider}]`;
    else if (inside) {
      const base = /^\s*base_url\s*=\s*"([^"]+)"/.exec(line)?.[1];
      if (base !== undefined) return base;
    }
  }
  return undefined;
}

function openaiBaseUrlOf(settings: string): string | undefined {
  return /^openai_base_url\s*=\s*"([^"]+)"/m.exec(settings)?.[1];
}
