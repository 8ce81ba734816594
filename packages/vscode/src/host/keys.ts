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

/** What a key can be kept for, and under which name in the secret storage. */
interface Place {
  readonly label: string;
  readonly description: string;
  readonly variable: string;
  readonly storedAs: string;
}

const providers: { readonly [Name in ProviderName]: { readonly label: string; readonly variable: string } } = {
  anthropic: { label: 'Anthropic', variable: 'ANTHROPIC_API_KEY' },
  openai: { label: 'OpenAI', variable: 'OPENAI_API_KEY' },
  google: { label: 'Google', variable: 'GEMINI_API_KEY' },
  'openai-compatible': { label: 'A server that speaks like OpenAI’s', variable: 'LOOPFUSE_API_KEY' },
};
const usual: readonly Place[] = Object.entries(providers).map(([name, { label, variable }]) => ({
  label,
  description: name,
  variable,
  storedAs: `loopfuse.key.${name}`,
}));

/**
 * `namedVariables` are those that the settings name for keys. A key is kept for each of them by itself: the one of a
 * provider must not go to the server that another key was meant for.
 */
export function createKeys(secrets: SecretStorage, namedVariables: () => readonly string[]): Keys {
  function places(): readonly Place[] {
    const known = new Set(usual.map(({ variable }) => variable));
    const named = [...new Set(namedVariables())].filter((variable) => !known.has(variable));
    return [
      ...named.map((variable) => ({
        label: variable,
        description: 'the variable that your settings name',
        variable,
        storedAs: `loopfuse.key.$${variable}`,
      })),
      ...usual,
    ];
  }

  async function stored(): Promise<readonly (readonly [Place, string])[]> {
    const found = await Promise.all(places().map(async (place) => [place, await secrets.get(place.storedAs)] as const));
    return found.flatMap(([place, key]) => (key === undefined || key === '' ? [] : [[place, key] as const]));
  }

  function pick(among: readonly Place[], title: string): Thenable<Place | undefined> {
    return window.showQuickPick(among, { title, placeHolder: 'Whose key?' });
  }

  return {
    async all() {
      return Object.fromEntries((await stored()).map(([{ variable }, key]) => [variable, key]));
    },
    async set() {
      const place = await pick(places(), 'Set an API key');
      if (place === undefined) return;
      const key = await window.showInputBox({
        title: `The API key for ${place.label}`,
        prompt: 'It is kept in the editor’s secret storage, and sent to nobody but the provider.',
        password: true,
        ignoreFocusOut: true,
        validateInput: (text) => (text.trim() === '' ? 'A key has at least one character.' : undefined),
      });
      if (key === undefined || key.trim() === '') return;
      await secrets.store(place.storedAs, key.trim());
      void window.showInformationMessage(`The key for ${place.label} is kept.`);
    },
    async forget() {
      const there = (await stored()).map(([place]) => place);
      if (there.length === 0) return void window.showInformationMessage('No key is kept.');
      const place = await pick(there, 'Forget an API key');
      if (place === undefined) return;
      await secrets.delete(place.storedAs);
      void window.showInformationMessage(`The key for ${place.label} is forgotten.`);
    },
  };
}
