import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import {
  type ModelServer,
  type Script,
  startModelServer,
  workspaceFiles,
} from '../../../testkit/src/model-server/index.js';
import { type Client, createClient } from '../client/client.js';
import type { ClientEvent } from '../client/client-event.js';
import type { ClientOptions, LogLevel } from '../client/client-options.js';
import { createModel, type ProviderName } from '../model/create-model.js';
import type { RequestSettings } from '../model/request-options.js';
import { freshFolder, put } from './folders.js';

/** A real client in a folder of its own, with the scripted model behind a real protocol. Gone when the test is over. */
export interface ScriptedAgent {
  readonly client: Client;
  readonly server: ModelServer;
  readonly root: string;
  readonly sessionFile: string;
  readonly log: { level: LogLevel; message: string }[];
  /** Another client with the same model and workspace. */
  another(options?: Partial<ClientOptions>): Client;
}

export interface Setting {
  readonly provider?: ProviderName;
  readonly model?: string;
  readonly problems?: 'refuse' | 'note';
  readonly request?: RequestSettings;
  readonly options?: Partial<ClientOptions>;
}

const modelNames: { readonly [Name in ProviderName]: string } = {
  openai: 'gpt-5.1',
  'openai-compatible': 'local-model',
  anthropic: 'claude-sonnet-4-5',
  google: 'gemini-3-pro',
};

export async function scriptedAgent(script: Script, setting: Setting = {}): Promise<ScriptedAgent> {
  const { provider = 'openai-compatible', model = modelNames[provider], problems = 'refuse', options = {} } = setting;
  const { request = {} } = setting;
  const server = await startModelServer({ script, problems });
  onTestFinished(() => server.close());
  const home = freshFolder();
  const root = join(home, 'work');
  put(root, workspaceFiles);
  const chosen = createModel(
    {
      provider,
      model,
      baseURL: `${server.url}/v1${provider === 'google' ? 'beta' : ''}`,
      apiKey: 'test-key-of-the-scripted-agent',
      ...request,
    },
    {},
  );
  const sessionFile = join(home, 'sessions', 'session.json');
  const log: ScriptedAgent['log'] = [];
  const another = (more: Partial<ClientOptions> = {}) =>
    createClient({
      model: chosen.model,
      ...(chosen.providerOptions === undefined ? {} : { providerOptions: chosen.providerOptions }),
      root,
      approval: 'yolo',
      sessionFile,
      secrets: ['test-key-of-the-scripted-agent'],
      log: (level, message) => log.push({ level, message }),
      ...options,
      ...more,
    });
  return {
    client: another(),
    server,
    root,
    sessionFile,
    log,
    another,
  };
}

export async function collect(events: AsyncIterable<ClientEvent>): Promise<ClientEvent[]> {
  const all: ClientEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

export function eventsOf<Type extends ClientEvent['type']>(
  events: readonly ClientEvent[],
  type: Type,
): Extract<ClientEvent, { type: Type }>[] {
  return events.filter((event): event is Extract<ClientEvent, { type: Type }> => event.type === type);
}
