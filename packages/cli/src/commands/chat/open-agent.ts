import { homedir } from 'node:os';
import {
  type Agent,
  environmentPlaces,
  hideSecrets,
  openAgent as open,
  type Places,
  type Settings,
  type StoredKeys,
} from '@loopfuse/agent';
import type { Shell } from '../../shell.js';
import { type ChatFlags, settingsOf } from './flags.js';

export type { Agent, Kept } from '@loopfuse/agent';

interface OpenHow {
  /** For settings that neither flags nor files have. */
  readonly defaults?: (settings: Settings) => Settings;
  /** Keys that the user typed. */
  readonly keys?: StoredKeys;
  readonly orDefaultModel?: boolean;
}

/** Opens the agent with the settings of the command line. Throws `SetUpError` for what the user must correct first. */
export function openAgent(
  flags: ChatFlags,
  { env, ownsProcess = false }: Pick<Shell, 'env' | 'ownsProcess'>,
  { defaults = () => ({}), keys = {}, orDefaultModel = false }: OpenHow = {},
): Agent {
  // Commands that the model runs are child processes and could read secrets from the environment.
  if (ownsProcess) hideSecrets();
  return open({
    cwd: flags.cwd ?? '.',
    home: env.HOME || homedir(),
    env,
    overrides: settingsOf(flags),
    defaults,
    keys,
    orDefaultModel,
    trusted: flags.trustProject === true,
    price: flags.price,
    fetch: proxies.some((name) => env[name] || env[name.toLowerCase()]) ? throughProxy(env) : undefined,
    places,
  });
}

const proxies = ['HTTPS_PROXY', 'HTTP_PROXY'];

/** Reaches models as the gateway does. The code for that is loaded with the first request. */
function throughProxy(env: Shell['env']): typeof fetch {
  let reach: Promise<typeof fetch> | undefined;
  return async (input, init) => {
    reach ??= import('@loopfuse/gateway').then(({ proxiedFetch }) => proxiedFetch(env));
    return (await reach)(input, init);
  };
}

/** Flags override the environment and the settings files. */
const places: Places = {
  ...environmentPlaces,
  provider: `--provider, ${environmentPlaces.provider}`,
  model: `--model, ${environmentPlaces.model}`,
  address: `--base-url, ${environmentPlaces.address}`,
  overrides: 'the flags',
};
