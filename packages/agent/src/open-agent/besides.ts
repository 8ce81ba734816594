import { type ChosenModel, createModel, type StoredKeys } from '../model/create-model.js';
import type { Settings } from '../settings/settings.js';
import type { Environment } from '../tools/run-shell-command/environment.js';

/** Where keys come from, and the `fetch` for requests, if it is not Node's own. */
export interface ModelSources {
  readonly env: Environment;
  readonly keys: StoredKeys;
  readonly fetch: typeof fetch | undefined;
}

/** A second model, such as the judge's. Where its own settings name no provider, the provider of the agent is used. */
export function besides(
  own: Pick<Settings, 'provider' | 'baseURL' | 'apiKeyEnv'>,
  settings: Settings,
  model: string,
  { env, keys, fetch }: ModelSources,
): ChosenModel {
  const { provider, baseURL, apiKeyEnv } = own.provider === undefined && own.baseURL === undefined ? settings : own;
  return createModel({ provider, baseURL, apiKeyEnv: own.apiKeyEnv ?? apiKeyEnv, model, fetch }, env, keys);
}
