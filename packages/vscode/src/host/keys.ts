import type { ProviderName, SetUpProblem, StoredKey, StoredKeys } from '@loopfuse/agent';
import { type SecretStorage, window } from 'vscode';

/** The API keys, in the editor's secret storage and nowhere else, each with the addresses that it may be sent to. */
export interface Keys {
  /** All stored keys. */
  all(): Promise<StoredKeys>;
  /** Asks for a key and stores it for the address in the current settings. */
  set(): Promise<void>;
  /** Asks which key to delete, and deletes it. */
  forget(): Promise<void>;
  /** Asks whether a key may be sent to an address that it was not stored for. */
  decide(problem: Extract<SetUpProblem, { type: 'key-address' }>): Promise<void>;
}

/** What a key can be stored for, and its name in the secret storage. */
interface Place {
  readonly label: string;
  readonly description: string;
  readonly variable: string;
  readonly storedAs: string;
  /** The origin of the provider's usual address. */
  readonly usual: readonly string[];
}

interface ProviderPlace {
  readonly label: string;
  readonly variable: string;
  readonly usual: readonly string[];
}

const providers: { readonly [Name in ProviderName]: ProviderPlace } = {
  anthropic: { label: 'Anthropic', variable: 'ANTHROPIC_API_KEY', usual: ['https://api.anthropic.com'] },
  openai: { label: 'OpenAI', variable: 'OPENAI_API_KEY', usual: ['https://api.openai.com'] },
  google: { label: 'Google', variable: 'GEMINI_API_KEY', usual: ['https://generativelanguage.googleapis.com'] },
  'openai-compatible': { label: 'OpenAI-compatible server', variable: 'LOOPFUSE_API_KEY', usual: [] },
};
const usualPlaces: readonly Place[] = Object.entries(providers).map(([name, place]) => ({
  ...place,
  description: name,
  storedAs: `loopfuse.key.${name}`,
}));

/** Imports the agent, which must not be loaded with the window. */
const storedKeys = () => import('./stored-key.js');

export interface KeysOptions {
  readonly secrets: SecretStorage;
  /**
   * The variables that the settings name for keys. Each has its own key: the key of a provider must not be sent to a server that
   * another key is meant for.
   */
  readonly namedVariables: () => readonly string[];
  /** The address that requests with the key of this variable go to, by the current settings. */
  readonly addressFor: (variable: string) => Promise<string | undefined>;
  /** Called when the secret storage cannot be read. */
  readonly onFault: (cause: unknown) => void;
}

export function createKeys({ secrets, namedVariables, addressFor, onFault }: KeysOptions): Keys {
  function places(): readonly Place[] {
    const known = new Set(usualPlaces.map(({ variable }) => variable));
    const named = [...new Set(namedVariables())].filter((variable) => !known.has(variable));
    return [
      ...named.map((variable) => ({
        label: variable,
        description: 'the variable named in your settings',
        variable,
        storedAs: `loopfuse.key.$${variable}`,
        usual: [],
      })),
      ...usualPlaces,
    ];
  }

  async function stored(): Promise<readonly (readonly [Place, StoredKey])[]> {
    const { readFrom } = await storedKeys();
    const found = await Promise.all(
      places().map(
        async (place) => [place, await readFrom(() => secrets.get(place.storedAs), place.usual, onFault)] as const,
      ),
    );
    return found.flatMap(([place, key]) => (key === undefined ? [] : [[place, key] as const]));
  }

  function pick(among: readonly Place[], title: string): Thenable<Place | undefined> {
    return window.showQuickPick(among, { title, placeHolder: 'The provider, or the variable, that the key is for' });
  }

  return {
    async all() {
      return Object.fromEntries((await stored()).map(([{ variable }, key]) => [variable, key]));
    },
    async set() {
      const place = await pick(places(), 'Set an API key');
      if (place === undefined) return;
      const address = (await addressFor(place.variable)) ?? place.usual[0];
      const key = await window.showInputBox({
        title: `The API key for ${place.label}`,
        prompt: `It is stored in the editor’s secret storage, and sent to ${address ?? 'no address until you allow one'}.`,
        password: true,
        ignoreFocusOut: true,
        validateInput: (text) => (text.trim() === '' ? 'Expected a key' : undefined),
      });
      if (key === undefined || key.trim() === '') return;
      const { decided, writeStoredKey } = await storedKeys();
      const fresh: StoredKey = { key: key.trim(), addresses: [] };
      await secrets.store(
        place.storedAs,
        writeStoredKey(address === undefined ? fresh : decided(fresh, address, 'allowed')),
      );
      void window.showInformationMessage(
        `The key for ${place.label} is stored${address === undefined ? '' : `, for ${address}`}.`,
      );
    },
    async forget() {
      const there = (await stored()).map(([place]) => place);
      if (there.length === 0) return void window.showInformationMessage('No key is stored.');
      const place = await pick(there, 'Forget an API key');
      if (place === undefined) return;
      await secrets.delete(place.storedAs);
      void window.showInformationMessage(`The key for ${place.label} was deleted.`);
    },
    async decide({ variable, address, keptFor }) {
      const [place, key] = (await stored()).find(([one]) => one.variable === variable) ?? [];
      if (place === undefined || key === undefined) return;
      const allow = 'Send It There';
      const refuse = 'Never Send It There';
      const answer = await window.showWarningMessage(
        `Send the key ${variable} to ${address}?`,
        {
          modal: true,
          detail: `It was stored for ${keptFor.join(', ') || 'no address yet'}. Whoever runs ${address} will be able to use it.`,
        },
        allow,
        refuse,
      );
      if (answer === undefined) return;
      const { decided, writeStoredKey } = await storedKeys();
      const next = decided(key, address, answer === allow ? 'allowed' : 'refused');
      await secrets.store(place.storedAs, writeStoredKey(next));
    },
  };
}
