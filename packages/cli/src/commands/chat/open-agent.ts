import { homedir } from 'node:os';
import { type Agent, openAgent as open, type Settings } from '@loopfuse/agent';
import type { Shell } from '../../shell.js';
import { type ChatFlags, settingsOf } from './flags.js';

export type { Agent, Kept } from '@loopfuse/agent';

/** The agent that the command line asks for. Throws `SetUpError` for everything that the person must set right first. */
export function openAgent(
  flags: ChatFlags,
  { env }: Pick<Shell, 'env'>,
  defaults: (settings: Settings) => Settings = () => ({}),
): Agent {
  return open({
    cwd: flags.cwd ?? '.',
    home: env.HOME || homedir(),
    env,
    overrides: settingsOf(flags),
    defaults,
    trusted: flags.trustProject === true,
    price: flags.price,
  });
}
