import { loopsForever, type ModelServer, type Script, say, startModelServer } from '@loopfuse/model-server';
import { Agent, type MCPServer, OpenAIProvider, Runner } from '@openai/agents';
import { ladder } from 'loopfuse';
import { afterEach, describe, expect, test } from 'vitest';
import { type GuardedOptions, guarded, openSession } from './index.js';

let server: ModelServer | undefined;
afterEach(async () => server?.close());

async function serving(script: Script): Promise<OpenAIProvider> {
  server = await startModelServer({ script, problems: 'note' });
  return new OpenAIProvider({ apiKey: 'scripted', baseURL: `${server.url}/v1`, useResponses: true });
}

describe('a guarded agent asks the model what the agent asks', () => {
  const cases: [string, Agent, ConstructorParameters<typeof Runner>[0], GuardedOptions][] = [
    ['with the settings that the SDK has for its model', new Agent({ name: 'a', model: 'gpt-5' }), {}, {}],
    [
      'with the settings of the runner over those',
      new Agent({ name: 'a', model: 'gpt-5' }),
      { modelSettings: { reasoning: { effort: 'high' }, temperature: 0.1 } },
      {},
    ],
    [
      'with settings of its own',
      new Agent({ name: 'a', model: 'gpt-5', modelSettings: { text: { verbosity: 'high' } } }),
      {},
      {},
    ],
    ['with the default model', new Agent({ name: 'a' }), {}, {}],
    ['with the model of a stored prompt', new Agent({ name: 'a', prompt: { promptId: 'pmpt_1' } }), {}, {}],
    ['with the model of the runner', new Agent({ name: 'a' }), { model: 'gpt-5-mini' }, { model: 'gpt-5-mini' }],
  ];

  test.each(cases)('%s', async (_, agent, config, options) => {
    const modelProvider = await serving(() => say('Done.'));
    const runner = new Runner({ modelProvider, tracingDisabled: true, ...config });
    await runner.run(agent, 'Read.');
    await runner.run(guarded(agent, { ...options, modelProvider }), 'Read.');
    const [bare, watched] = server!.requests.map(({ body }) => body);
    expect(watched).toEqual(bare);
  });
});

test('a model that the provider could not find is looked up again with the next request', async () => {
  const provider = await serving(() => say('Done.'));
  let lookups = 0;
  const modelProvider = {
    async getModel(name?: string) {
      if (++lookups === 1) throw new Error('the provider is starting');
      return provider.getModel(name);
    },
  };
  const copy = guarded(new Agent({ name: 'a', model: 'scripted-model' }), { modelProvider });
  const runner = new Runner({ modelProvider: provider, tracingDisabled: true });
  await expect(runner.run(copy, 'Read.')).rejects.toThrow('the provider is starting');
  expect((await runner.run(copy, 'Read.')).finalOutput).toBe('Done.');
});

test('listeners of an agent get the events of its guarded copy', async () => {
  const modelProvider = await serving(() => say('Done.'));
  const heard: string[] = [];
  const agent = new Agent({ name: 'a', model: 'scripted-model' });
  const copy = guarded(agent, { modelProvider });
  agent.on('agent_start', () => heard.push('start'));
  agent.on('agent_end', (_, output) => heard.push(output));
  copy.on('agent_end', () => heard.push('copy'));
  await new Runner({ modelProvider, tracingDisabled: true }).run(copy, 'Read.');
  expect(heard).toEqual(['start', 'Done.', 'copy']);
});

describe('a tool of an MCP server', () => {
  const serverOf = (reads: string[]) =>
    ({
      name: 'files',
      cacheToolsList: false,
      connect: async () => {},
      close: async () => {},
      invalidateToolsCache: async () => {},
      async listTools() {
        const properties = { path: { type: 'string' } };
        const inputSchema = { type: 'object', properties, required: ['path'], additionalProperties: false };
        return [{ name: 'read_file', description: 'Reads a file.', inputSchema }];
      },
      async callTool(_: string, input: { path: string }) {
        reads.push(input.path);
        return [{ type: 'text', text: '# Sample' }];
      },
    }) as unknown as MCPServer;

  async function play(options: Parameters<typeof openSession>[0]) {
    const modelProvider = await serving(loopsForever({ rounds: 12 }));
    const reads: string[] = [];
    const agent = new Agent({ name: 'a', model: 'scripted-model', mcpServers: [serverOf(reads)] });
    const copy = guarded(agent, { session: openSession(options), modelProvider });
    const runner = new Runner({ modelProvider, tracingDisabled: true });
    const { interruptions } = await runner.run(copy, 'Read.', { maxTurns: 30 });
    return { reads: reads.length, interruptions: interruptions.length };
  }

  test('is refused, and put to a person, as any other', async () => {
    expect(await play({ exitBehavior: 'continue' })).toEqual({ reads: 3, interruptions: 0 });
    expect(await play({ policy: ladder({ steers: 0, last: 'ask' }) })).toEqual({ reads: 3, interruptions: 1 });
  });
});
