import type { Settings } from '@loopfuse/agent';
import { createPrices, type Price } from '@loopfuse/prices';
import { type Uri, workspace } from 'vscode';
import { overridesOf, userOnly } from './overrides.js';
import { pricesIn } from './prices-in.js';

/** What the user has set in the editor for a folder. It overrides the settings files. */
export function editorOverrides(folder: Uri): Settings {
  const found = workspace.getConfiguration('loopfuse', folder);
  return overridesOf((name) => {
    const { globalValue, workspaceValue, workspaceFolderValue } = found.inspect(name) ?? {};
    if (userOnly.includes(name)) return { value: plain(globalValue), isSet: globalValue !== undefined };
    const isSet = [globalValue, workspaceValue, workspaceFolderValue].some((value) => value !== undefined);
    return { value: plain(found.get(name)), isSet };
  });
}

/** The environment variables that the editor's settings name for keys: of the agent, the judge and the stronger model. */
export function namedKeyVariables(): readonly string[] {
  const set = workspace.getConfiguration('loopfuse');
  const named = ['judge', 'escalate'].map((one) => set.get<{ readonly apiKeyEnv?: unknown }>(one)?.apiKeyEnv);
  return [set.get('apiKeyEnv'), ...named].filter((name) => typeof name === 'string' && name !== '') as string[];
}

/** What a model costs by the editor's settings; `undefined` if they do not name it or the price is invalid. */
export function editorPrice(model: string): Price | undefined {
  const models = pricesIn(workspace.getConfiguration('loopfuse').get('prices'));
  const own = new Set(Object.values(models));
  const price = createPrices({ models }).priceOf(model);
  return price !== undefined && own.has(price) ? price : undefined;
}

/** The editor returns proxies instead of plain objects. */
function plain(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? JSON.parse(JSON.stringify(value)) : value;
}
