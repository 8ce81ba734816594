import { homedir } from 'node:os';
import {
  type Agent,
  addressOf,
  loadSettings,
  originOf,
  type ProviderName,
  providerFacts,
  providerNames,
  SetUpError,
  type StoredKeys,
  saveChoice,
} from '@loopfuse/agent';
import { type Item, note } from '@loopfuse/conversation';
import { messageOf } from 'loopfuse/words';
import type { Shell } from '../../../shell.js';
import { type ChatFlags, settingsOf } from '../flags.js';
import { openAgent } from '../open-agent.js';
import type { Choice, KnownBefore } from './first-run.js';

export interface Opened {
  readonly agent: Agent;
  /** Notes about the set-up. */
  readonly notes: readonly Item[];
}

/** Opens the agent. If provider, model, address or key is missing, the user is asked for it first. */
export async function openOrAsk(
  flags: ChatFlags,
  shell: Shell,
  ask: (known: KnownBefore, shell: Shell) => Promise<Choice | undefined>,
): Promise<Opened> {
  try {
    return { agent: openAgent(flags, shell), notes: [] };
  } catch (cause) {
    if (!(cause instanceof SetUpError) || !isMissing(cause.problem)) throw cause;
    const choice = await ask(knownBefore(cause.problem, flags, shell), shell);
    if (choice === undefined) throw cause; // it says how to set things without the questions
    return { agent: openWith(choice, flags, shell), notes: await notesOn(choice, flags, shell) };
  }
}

/** A missing setting can be asked for; a wrong one must be corrected where it is set. */
function isMissing(problem: SetUpError['problem']): boolean {
  if (problem.type === 'provider' || problem.type === 'address') return problem.given === undefined;
  return problem.type === 'model' || problem.type === 'key';
}

function openWith({ provider, model, baseURL, key }: Choice, flags: ChatFlags, shell: Shell): Agent {
  const chosen = { ...flags, provider, model, ...(baseURL === undefined ? {} : { baseUrl: baseURL }) };
  const variable = keyVariable(provider, flags, shell);
  const address = addressOf(settingsFor(chosen, shell), shell.env);
  const keys: StoredKeys =
    key === undefined || address === undefined ? {} : { [variable]: { key, addresses: [originOf(address)] } };
  return openAgent(chosen, shell, { keys });
}

function knownBefore(problem: SetUpError['problem'], flags: ChatFlags, shell: Shell): KnownBefore {
  const { env } = shell;
  const settings = settingsFor(flags, shell);
  const byModel = problem.type === 'key' ? problem.provider : undefined;
  const named = settings.provider ?? providerNames.find((name) => name === env.LOOPFUSE_PROVIDER) ?? byModel;
  const hasKey = (provider: ProviderName) =>
    [settings.apiKeyEnv ?? providerFacts[provider].keys].flat().some((variable) => env[variable]);
  const baseURL = settings.baseURL ?? (env.LOOPFUSE_BASE_URL || undefined);
  return {
    provider: named ?? (baseURL === undefined ? undefined : 'openai-compatible'),
    likely: problem.type === 'model' ? problem.provider : undefined,
    model: settings.model ?? (env.LOOPFUSE_MODEL || undefined),
    baseURL,
    hasKey,
  };
}

function settingsFor(flags: ChatFlags, { env }: Pick<Shell, 'env'>) {
  const home = env.HOME || homedir();
  const overrides = settingsOf(flags);
  return loadSettings({ cwd: flags.cwd ?? '.', home, overrides, trusted: flags.trustProject === true }).settings;
}

function keyVariable(provider: ProviderName, flags: ChatFlags, shell: Shell): string {
  return settingsFor(flags, shell).apiKeyEnv ?? providerFacts[provider].keys[0]!;
}

async function notesOn(choice: Choice, flags: ChatFlags, shell: Shell): Promise<readonly Item[]> {
  const { provider, model, baseURL, key, save } = choice;
  const variable = keyVariable(provider, flags, shell);
  const kept =
    key === undefined ? [] : [note(`The key is kept for this run only. Set ${variable} to keep it.`, 'warning')];
  if (!save) return kept;
  try {
    const saved = { provider, model, ...(baseURL === undefined ? {} : { baseURL }) };
    const file = await saveChoice(shell.env.HOME || homedir(), saved);
    return [note(`Provider and model are saved in ${file}.`, 'good'), ...kept];
  } catch (cause) {
    return [note(`Provider and model could not be saved: ${messageOf(cause)}`, 'bad'), ...kept];
  }
}
