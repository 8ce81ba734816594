import type { Shell } from '../../shell.js';
import { UsageError } from '../../usage-error.js';
import type { ChatFlags } from './flags.js';

/** Chats at a terminal. With a prompt, or without a terminal, one request is handled. */
export async function chat(flags: ChatFlags, shell: Shell): Promise<void> {
  const { stdin, stdout } = shell.streams;
  const { message, prompt = message } = flags;
  if (flags.prompt !== undefined && message !== undefined)
    throw new UsageError(`Expected one message, got -p ${JSON.stringify(prompt)} and ${JSON.stringify(message)}.`);
  if (flags.prompt !== undefined || !stdin.isTTY) {
    const { runHeadless } = await import('./headless/run-headless.js');
    return runHeadless(prompt === undefined ? flags : { ...flags, prompt }, shell);
  }
  if (!stdout.isTTY)
    throw new UsageError('The chat needs a terminal to draw on. For one request without it, use -p "…".');
  for (const flag of ['outputFormat', 'onLoop'] as const)
    if (flags[flag] !== undefined)
      throw new UsageError(`--${flag === 'onLoop' ? 'on-loop' : 'output-format'} is for runs with -p "…".`);
  // Ink draws nothing in CI, but here is a terminal.
  if (process.env.CI !== undefined) process.env.CI = '0';
  if (process.env.CONTINUOUS_INTEGRATION !== undefined) process.env.CONTINUOUS_INTEGRATION = '0';
  stdin.setRawMode(true); // what is typed while the rest is being loaded comes as keys, too
  try {
    const { runInteractive } = await import('./run-interactive.js');
    await runInteractive(flags, shell);
  } finally {
    stdin.setRawMode(false);
  }
}
