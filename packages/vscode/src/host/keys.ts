import type { ProviderName } from '@loopfuse/agent';
import { type SecretStorage, window } from 'vscode';

/** Keys of providers. They are in the editor's secret storage and nowhere else. */
export interface Keys {
  /** Those that are there, by the variable of the environment that would hold each. */
  all(): Promise<Record<string, string>>;
  /** Asks for a key and keeps it. */
  set(): Promise<void>;
  /** Asks for which provider, and forgets its key. */
  forget(): Promise<void>;
}

const providers: { readonly [Name in ProviderName]: { readonly label: string; readonly variable: string } } = {
  anthropic: { label: 'Anthropic', variable: 'ANTHROPIC_API_KEY' },
  openai: { label: 'OpenAI', variable: 'OPENAI_API_KEY' },
  google: { label: 'Google', variable: 'GEMINI_API_KEY' },
  'openai-compatible': { label: 'A server that speaks like OpenAI’s', variable: 'LOOPFUSE_API_KEY' },
};
const names = Object.keys(providers) as ProviderName[];

export function createKeys(secrets: SecretStorage): Keys {
  const placeOf = (name: ProviderName) => `loopfuse.key.${name}`;

  async function stored(): Promise<readonly (readonly [ProviderName, string])[]> {
    const found = await Promise.all(names.map(async (name) => [name, await secrets.get(placeOf(name))] as const));
    return found.flatMap(([name, key]) => (key === undefined || key === '' ? [] : [[name, key] as const]));
  }

  async function pick(among: readonly ProviderName[], title: string): Promise<ProviderName | undefined> {
    const items = among.map((name) => ({ name, label: providers[name].label, description: name }));
    return (await window.showQuickPick(items, { title, placeHolder: 'Whose key?' }))?.name;
  }

  return {
    async all() {
      return Object.fromEntries((await stored()).map(([name, key]) => [providers[name].variable, key]));
    },
    async set() {
      const name = await pick(names, 'Set an API key');
      if (name === undefined) return;
      const key = await window.showInputBox({
        title: `The API key for ${providers[name].label}`,
        prompt: 'It is kept in the editor’s secret storage, and sent to nobody but the provider.',
        password: true,
        ignoreFocusOut: true,
        validateInput: (text) => (text.trim() === '' ? 'A key has at least one character.' : undefined),
      });
      if (key === undefined || key.trim() === '') return;
      await secrets.store(placeOf(name), key.trim());
      void window.showInformationMessage(`The key for ${providers[name].label} is kept.`);
    },
    async forget() {
      const there = (await stored()).map(([name]) => name);
      if (there.length === 0) return void window.showInformationMessage('No key is kept.');
      const name = await pick(there, 'Forget an API key');
      if (name === undefined) return;
      await secrets.delete(placeOf(name));
      void window.showInformationMessage(`The key for ${providers[name].label} is forgotten.`);
    },
  };
}
