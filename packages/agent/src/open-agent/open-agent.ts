import { randomUUID } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { createPrices, type Price } from '@loopfuse/prices';
import { messageOf } from 'loopfuse/words';
import { type Client, createClient } from '../client/client.js';
import type { LogLevel } from '../client/client-options.js';
import {
  type ChosenModel,
  createModel,
  type ModelChoice,
  providerNames,
  providerOf,
  type StoredKeys,
} from '../model/create-model.js';
import { providerFacts } from '../model/provider-facts.js';
import type { Approve } from '../scheduler/approval.js';
import { listSessions, type SessionSummary } from '../session/list-sessions.js';
import type { Session } from '../session/session.js';
import { loadSession, sessionFile, sessionFolder } from '../session/session-file.js';
import { clientSettings } from '../settings/client-settings.js';
import { loadSettings } from '../settings/load-settings.js';
import type { Settings } from '../settings/settings.js';
import type { Environment } from '../tools/run-shell-command/environment.js';
import type { Trace } from '../trace.js';
import type { Files } from '../workspace/files.js';
import { createWorkspace } from '../workspace/workspace.js';
import { besides } from './besides.js';
import { secondOpinion } from './second-opinion.js';
import { SetUpError, setUp } from './set-up-error.js';
import { environmentPlaces, type Places } from './set-up-words.js';

/** A session with its file. */
export interface Kept {
  readonly session: Session;
  readonly file: string;
  /** When the latest session was requested: newer ones that cannot be read, each as a sentence with file and reason. */
  readonly passedOver?: readonly string[];
}

/** A session to continue; without a file where it could not be saved. */
export type Carried = Pick<Kept, 'session'> & Partial<Kept>;

export interface OpenAgentOptions {
  /** The workspace. */
  readonly cwd: string;
  /** The home folder, with the settings and sessions of the user. */
  readonly home: string;
  readonly env: Environment;
  /** Keys from a secure store, for models only, each for the addresses that it was stored for. Tools never see them. */
  readonly keys?: StoredKeys;
  /** Has precedence over the settings files. */
  readonly overrides?: Settings;
  /** For what neither the overrides nor the files set. */
  readonly defaults?: (settings: Settings) => Settings;
  /** Whether the settings of the workspace may loosen approval and set addresses and keys. */
  readonly trusted?: boolean;
  /** Use the default model of the provider where none is named; `Agent.model.byDefault` is then set. */
  readonly orDefaultModel?: boolean;
  /** The price of the model, in place of the list price. */
  readonly price?: Price | undefined;
  /** Used for requests in place of Node's `fetch`, for example to go through a proxy. */
  readonly fetch?: typeof fetch | undefined;
  /** Where tools read and write text files; by default the disk. */
  readonly files?: Files;
  /** Where the user sets things in this user interface, for error messages. */
  readonly places?: Places;
}

export interface OpenOptions {
  readonly approve?: Approve;
  readonly trace?: Trace | undefined;
  readonly log?: (level: LogLevel, message: string, data?: unknown) => void;
}

/** The agent with its settings and its model, ready to open clients. Every user interface starts with it. */
export interface Agent {
  readonly settings: Settings;
  /** Settings that were ignored, in sentences, and the files that were read. */
  readonly warnings: readonly string[];
  readonly files: readonly string[];
  /** The workspace. */
  readonly root: string;
  readonly model: ChosenModel;
  /** `undefined` where it is not known. */
  readonly price: Price | undefined;
  /** A client for a new conversation, or for one that continues. */
  open(options: OpenOptions, kept?: Carried): Client;
  /**
   * Uses another model from now on: "NAME" of the provider in use, "PROVIDER NAME", or the default model of "PROVIDER".
   * Throws where that model cannot be made. A name with spaces needs its provider before it: alone it is more likely a
   * mistake.
   */
  choose(words: string): void;
  sessions(): Promise<readonly SessionSummary[]>;
  /** A session by its id or the beginning of it; the latest for `true`. */
  find(id: string | true): Promise<Kept>;
}

/** Throws `SetUpError` for everything that the user must fix first. */
export function openAgent(options: OpenAgentOptions): Agent {
  const { home, env, overrides = {}, defaults = () => ({}), trusted = false, keys = {} } = options;
  const { places = environmentPlaces } = options;
  const prices = createPrices();
  const root = folderAt(resolve(options.cwd), places);
  const loaded = setUp(
    () => loadSettings({ cwd: root, home, overrides, trusted, overridesName: places.overrides }),
    places,
  );
  const settings: Settings = { ...defaults(loaded.settings), ...loaded.settings };
  let choice: ModelChoice = {
    provider: settings.provider,
    model: settings.model,
    orDefault: options.orDefaultModel,
    baseURL: settings.baseURL,
    apiKeyEnv: settings.apiKeyEnv,
    reasoning: settings.reasoning,
    promptCaching: settings.promptCaching,
    fetch: options.fetch,
  };
  const sources = { env, keys, fetch: options.fetch };
  let chosen = setUp(() => createModel(choice, env, keys), places);
  const own = { provider: chosen.provider, baseURL: settings.baseURL, apiKeyEnv: settings.apiKeyEnv };
  const folder = sessionFolder(home, root);
  const priceNow = () => options.price ?? prices.priceOf(chosen.name);

  return {
    settings,
    warnings: loaded.warnings,
    files: loaded.files,
    root,
    get model() {
      return chosen;
    },
    get price() {
      return priceNow();
    },
    open({ approve, trace, log = () => {} }, kept) {
      const { escalate } = settings;
      const inUse = { ...settings, provider: chosen.provider, baseURL: choice.baseURL, apiKeyEnv: choice.apiKeyEnv };
      const session = kept?.session;
      const sessionId = session?.id ?? randomUUID();
      return setUp(() => {
        const judge = secondOpinion({
          settings: inUse,
          sources,
          conversation: () => chosen,
          price: priceNow(),
          session,
          onFault: (fault) => log('warn', `The judge: ${fault.message}`),
        });
        return createClient({
          model: chosen.model,
          ...(chosen.providerOptions === undefined ? {} : { providerOptions: chosen.providerOptions }),
          root,
          ...clientSettings(settings, env),
          ...(options.files === undefined ? {} : { files: options.files }),
          ...(approve === undefined ? {} : { approve }),
          ...(trace === undefined ? {} : { trace }),
          ...(judge === undefined ? {} : { judge }),
          ...(escalate === undefined ? {} : { stronger: besides(escalate, inUse, escalate.model, sources) }),
          ...(session === undefined ? {} : { session }),
          sessionId,
          sessionFile: kept?.file ?? sessionFile(folder, sessionId),
          secrets: [chosen.apiKey, ...Object.values(keys).map(({ key }) => key)].filter((key) => key !== undefined),
          environment: env,
          log,
        });
      }, places);
    },
    choose(words) {
      setUp(() => {
        const next = { ...choice, ...modelIn(words) };
        // Address and key of the settings are those of their provider, and go to no other.
        const isOwn = providerOf(next, env, keys) === own.provider;
        const { baseURL, apiKeyEnv } = isOwn ? own : { baseURL: undefined, apiKeyEnv: undefined };
        const wanted = { ...next, baseURL, apiKeyEnv };
        chosen = createModel(wanted, env, keys);
        choice = wanted;
      }, places);
    },
    sessions: () => listSessions(folder),
    async find(id) {
      const known = await listSessions(folder);
      const found = id === true ? known.slice(0, 1) : known.filter((one) => one.id.startsWith(id));
      const [one] = found;
      if (one !== undefined && found.length === 1) {
        const kept = { session: await loadSession(one.file), file: one.file };
        return id === true ? { ...kept, passedOver: await unreadable(folder, { since: one.file }) } : kept;
      }
      if (one === undefined) await refuseUnreadable(folder, id === true ? '' : id, places);
      const some = (found.length > 0 ? found : known).slice(0, 5).map(({ id: known, title }) => ({ id: known, title }));
      throw new SetUpError({ type: 'session', wanted: id, root, matches: found.length, found: some }, { places });
    },
  };
}

function folderAt(path: string, places: Places): string {
  try {
    return createWorkspace(path).root;
  } catch (cause) {
    throw new SetUpError({ type: 'folder', path }, { places, cause });
  }
}

/** Unreadable sessions are not listed. Where one is named, the error says why it cannot be read. */
async function refuseUnreadable(folder: string, id: string, places: Places): Promise<void> {
  const [message] = await unreadable(folder, { id });
  if (message !== undefined) throw new SetUpError({ type: 'other', message }, { places });
}

/** Why sessions cannot be read that begin with an id and were written after another, the latest first. */
async function unreadable(
  folder: string,
  { id = '', since }: { readonly id?: string; readonly since?: string },
): Promise<readonly string[]> {
  const writtenAt = async (file: string) => (await stat(file).catch(() => undefined))?.mtimeMs ?? 0;
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.startsWith(id) && name.endsWith('.json'));
  const all = await Promise.all(
    names.map(async (name) => [join(folder, name), await writtenAt(join(folder, name))] as const),
  );
  const after = since === undefined ? Number.NEGATIVE_INFINITY : await writtenAt(since);
  const later = all.filter(([file, at]) => file !== since && at >= after).sort(([, a], [, b]) => b - a);
  const reasons = await Promise.all(later.map(([file]) => loadSession(file).then(() => undefined, messageOf)));
  return reasons.filter((reason) => reason !== undefined);
}

/** The model that the words of a user name. */
function modelIn(words: string): Pick<ModelChoice, 'provider' | 'model'> {
  const [first = '', ...rest] = words.trim().split(/\s+/);
  const provider = providerNames.find((name) => name === first);
  const model = rest.join(' ');
  if (provider !== undefined && model !== '') return { provider, model };
  if (provider !== undefined && providerFacts[provider].defaultModel !== undefined)
    return { provider, model: providerFacts[provider].defaultModel };
  if (provider === undefined && model === '') return { model: first };
  const expected = `Expected the name of a model, or a provider (${providerNames.join(', ')}) and the name of a model`;
  throw new RangeError(
    provider === undefined
      ? `There is no provider ${JSON.stringify(first)}. ${expected}, got ${JSON.stringify(words.trim())}.`
      : `${first} has no default model. ${expected}.`,
  );
}
