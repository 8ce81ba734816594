import { randomUUID } from 'node:crypto';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import {
  type Approve,
  type ChosenModel,
  type Client,
  clientSettings,
  createClient,
  createModel,
  createWorkspace,
  type LogLevel,
  listSessions,
  loadSession,
  loadSettings,
  type ModelChoice,
  providerNames,
  type Session,
  type SessionSummary,
  type Settings,
  SettingsError,
  sessionFile,
  sessionFolder,
  type Trace,
} from '@loopfuse/agent';
import type { Shell } from '../../shell.js';
import { UsageError } from '../../usage-error.js';
import { type ChatFlags, settingsOf } from './flags.js';
import { listPriceOf, type Price } from './price.js';
import { secondOpinion } from './second-opinion.js';

/** A session with the file that keeps it. */
export interface Kept {
  readonly session: Session;
  readonly file: string;
}

export interface OpenOptions {
  readonly approve?: Approve;
  readonly trace?: Trace | undefined;
  readonly log?: (level: LogLevel, message: string) => void;
}

/** Everything that flags, settings and environment say, ready to open clients with. */
export interface Agent {
  readonly settings: Settings;
  /** What was passed over in the settings, and where they come from. */
  readonly warnings: readonly string[];
  readonly files: readonly string[];
  /** The workspace. */
  readonly root: string;
  readonly model: ChosenModel;
  readonly price: Price | undefined;
  /** A client for a new conversation, or for one that goes on. */
  open(options: OpenOptions, kept?: Kept): Client;
  /** Takes another model from now on: "NAME", or "PROVIDER NAME". Throws where it cannot be had. */
  choose(words: string): void;
  sessions(): Promise<readonly SessionSummary[]>;
  /** A session by its id or the beginning of it; the latest for `true`. */
  find(id: string | true): Promise<Kept>;
}

/** `defaults` are for what neither flags nor files say. Throws `UsageError` for everything that the person must set right first. */
export function openAgent(
  flags: ChatFlags,
  { env }: Pick<Shell, 'env'>,
  defaults: (settings: Settings) => Settings = () => ({}),
): Agent {
  const home = env.HOME || homedir();
  const root = usable(() => createWorkspace(resolve(flags.cwd ?? '.')).root);
  const loaded = usable(() =>
    loadSettings({ cwd: root, home, overrides: settingsOf(flags), trusted: flags.trustProject === true }),
  );
  const settings: Settings = { ...defaults(loaded.settings), ...loaded.settings };
  const choice: ModelChoice = {
    provider: settings.provider,
    model: settings.model,
    baseURL: settings.baseURL,
    apiKeyEnv: settings.apiKeyEnv,
  };
  let chosen = usable(() => createModel(choice, env));
  const folder = sessionFolder(home, root);

  return {
    settings,
    warnings: loaded.warnings,
    files: loaded.files,
    root,
    get model() {
      return chosen;
    },
    get price() {
      return flags.price ?? listPriceOf(chosen.name);
    },
    open({ approve, trace, log = () => {} }, kept) {
      const { judge } = settings;
      const session = kept?.session;
      return usable(() =>
        createClient({
          model: chosen.model,
          ...(chosen.providerOptions === undefined ? {} : { providerOptions: chosen.providerOptions }),
          root,
          ...clientSettings(settings, env),
          ...(approve === undefined ? {} : { approve }),
          ...(trace === undefined ? {} : { trace }),
          ...(judge === undefined
            ? {}
            : {
                judge: secondOpinion(judge, { ...settings, provider: chosen.provider }, env, session, ({ message }) =>
                  log('warn', `The judge: ${message}`),
                ),
              }),
          ...(session === undefined ? {} : { session }),
          sessionFile: kept?.file ?? sessionFile(folder, randomUUID()),
          secrets: chosen.apiKey === undefined ? [] : [chosen.apiKey],
          environment: env,
          log,
        }),
      );
    },
    choose(words) {
      const [first = '', ...rest] = words.trim().split(/\s+/);
      const provider = providerNames.find((name) => name === first);
      const named = provider !== undefined && rest.length > 0;
      chosen = createModel(
        named
          ? {
              ...choice,
              provider,
              model: rest.join(' '),
              ...(provider === chosen.provider ? {} : { baseURL: undefined }),
            }
          : { ...choice, model: words.trim() },
        env,
      );
    },
    sessions: () => listSessions(folder),
    async find(id) {
      const known = await listSessions(folder);
      const found = id === true ? known.slice(0, 1) : known.filter((one) => one.id.startsWith(id));
      const [one] = found;
      if (one !== undefined && found.length === 1) return { session: await loadSession(one.file), file: one.file };
      throw new UsageError(notFound(id, root, known, found));
    },
  };
}

function notFound(
  id: string | true,
  root: string,
  known: readonly SessionSummary[],
  found: readonly SessionSummary[],
): string {
  if (known.length === 0) return `There are no sessions of ${root} to resume.`;
  const list = (found.length > 0 ? found : known).slice(0, 5).map(({ id, title }) => `${id}  ${title}`);
  const what =
    found.length > 1
      ? `Several sessions begin with ${JSON.stringify(id)}`
      : `No session is called ${JSON.stringify(id)}`;
  return [`${what}. These are there:`, ...list].join('\n');
}

/** What the agent's own checks refuse is for the person to set right. */
function usable<Value>(make: () => Value): Value {
  try {
    return make();
  } catch (cause) {
    if (cause instanceof SettingsError || cause instanceof TypeError || cause instanceof RangeError)
      throw new UsageError(cause.message.replace(/^create\w+: /, ''));
    throw cause;
  }
}
