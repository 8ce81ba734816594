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
  /** For what neither flags nor files say. */
  readonly defaults?: (settings: Settings) => Settings;
  /** Keys that were typed. */
  readonly keys?: StoredKeys;
  readonly orDefaultModel?: boolean;
}

/** The agent that the command line asks for. Throws `SetUpError` for everything that the person must set right first. */
export function openAgent(
  flags: ChatFlags,
  { env, ownsProcess = false }: Pick<Shell, 'env' | 'ownsProcess'>,
  { defaults = () => ({}), keys = {}, orDefaultModel = false }: OpenHow = {},
): Agent {
  // The commands that the model writes are children of this process and could read them there.
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

/** Reaches models as the gateway does. What can do that is loaded with the first request. */
function throughProxy(env: Shell['env']): typeof fetch {
  let reach: Promise<typeof fetch> | undefined;
  return async (input, init) => {
    reach ??= import('@loopfuse/gateway').then(({ proxiedFetch }) => proxiedFetch(env));
    return (await reach)(input, init);
  };
}

/** Flags go before what the environment and the settings files say. */
const places: Places = {
  ...environmentPlaces,
  provider: `--provider, ${environmentPlaces.provider}`,
  model: `--model, ${environmentPlaces.model}`,
  address: `--base-url, ${environmentPlaces.address}`,
  overrides: 'the flags',
};
