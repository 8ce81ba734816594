import type { Launcher } from './agent.js';

/** Agents whose base URL is one variable of the environment. */
function byEnvironment(name: string, usual: string): Launcher {
  return ({ args, env, upstream, mount }) => ({ args, env: { [name]: mount(env[name] || upstream || usual) } });
}

export const claude = byEnvironment('ANTHROPIC_BASE_URL', 'https://api.anthropic.com');
export const gemini = byEnvironment('GOOGLE_GEMINI_BASE_URL', 'https://generativelanguage.googleapis.com');
export const qwen = byEnvironment('OPENAI_BASE_URL', 'https://api.openai.com/v1');

/** Copilot uses a model of the user's own only if one is set; its requests to GitHub are not guarded. */
export const copilot: Launcher = ({ args, env, upstream, mount }) => {
  const base = env.COPILOT_PROVIDER_BASE_URL || upstream;
  if (base) return { args, env: { COPILOT_PROVIDER_BASE_URL: mount(base) } };
  return { args, env: {}, remark: 'Copilot is not guarded: set COPILOT_PROVIDER_BASE_URL, or give --upstream.' };
};

/** The variables that most programs and SDKs read, each with the address of its provider. */
const usual: Readonly<Record<string, string>> = {
  ANTHROPIC_BASE_URL: 'https://api.anthropic.com',
  OPENAI_BASE_URL: 'https://api.openai.com/v1',
  OPENAI_API_BASE: 'https://api.openai.com/v1',
  GOOGLE_GEMINI_BASE_URL: 'https://generativelanguage.googleapis.com',
};

export const anyProgram: Launcher = ({ args, env, upstream, mount }) => ({
  args,
  env: Object.fromEntries(Object.entries(usual).map(([name, base]) => [name, mount(env[name] || upstream || base)])),
  remark: `Guarded by ${Object.keys(usual).join(', ')}; a program that reads none of them is not guarded.`,
});
