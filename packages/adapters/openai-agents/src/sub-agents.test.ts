import { loopsForever, type Script, startModelServer } from '@loopfuse/model-server';
import { Agent, OpenAIProvider, Runner, tool } from '@openai/agents';
import { expect, test } from 'vitest';
import { guarded, openSession } from './index.js';

const read = (reads: string[]) =>
  tool({
    name: 'read_file',
    description: 'Reads a file.',
    parameters: {
      type: 'object',
      properties: { path: { type: 'string' } },
      required: ['path'],
      additionalProperties: false,
    },
    strict: true,
    execute: async (input) => {
      reads.push(String((input as { path: string }).path));
      return '# Sample';
    },
  });

async function withServer(script: Script, run: (provider: OpenAIProvider, runner: Runner) => Promise<unknown>) {
  const server = await startModelServer({ script });
  const modelProvider = new OpenAIProvider({ apiKey: 'scripted', baseURL: `${server.url}/v1`, useResponses: true });
  try {
    await run(modelProvider, new Runner({ modelProvider, tracingDisabled: true }));
  } finally {
    await server.close();
  }
}

test('agents that hand over to each other for ever are detected, because they share a lane', async () => {
  const session = openSession();
  let turns = 0;
  const handsOver: Script = ({ tools }) => {
    turns++;
    const handoff = tools.find(({ name }) => name.startsWith('transfer_to_'));
    return { parts: [{ call: { tool: handoff!.name, input: {} } }] };
  };
  await withServer(handsOver, async (modelProvider, runner) => {
    const first: Agent = new Agent({ name: 'first', model: 'scripted-model' });
    const second = new Agent({ name: 'second', model: 'scripted-model', handoffs: [first] });
    first.handoffs = [second];
    await runner.run(guarded(first, { session, modelProvider }), 'Find out what main does.', { maxTurns: 60 });
  });
  expect(session.error?.findings[0]).toMatchObject({ status: 'looping' });
  expect(session.error?.findings[0]?.lane).toBeUndefined();
  expect(turns).toBeLessThan(20);
});

test('an agent as a tool is a lane of its own', async () => {
  const session = openSession();
  const reads: string[] = [];
  const delegates: Script = (turn) => {
    if (!turn.tools.some(({ name }) => name === 'research')) return loopsForever({ rounds: 20 })(turn);
    if (turn.results.length > 0) return { parts: [{ text: 'The researcher is done.' }] };
    return { parts: [{ call: { tool: 'research', input: { input: 'Read the readme.' } } }] };
  };
  await withServer(delegates, async (modelProvider, runner) => {
    const researcher = new Agent({ name: 'researcher', model: 'scripted-model', tools: [read(reads)] });
    const watched = guarded(researcher, { session: session.in('researcher'), modelProvider });
    const research = watched.asTool({
      toolName: 'research',
      toolDescription: 'Finds out.',
      runConfig: { modelProvider },
    });
    const lead = new Agent({ name: 'lead', model: 'scripted-model', tools: [research] });
    await runner.run(guarded(lead, { session, modelProvider }), 'Find out what main does.', { maxTurns: 40 });
  });
  expect(session.error?.findings[0]).toMatchObject({ kind: 'repeated-calls', lane: 'researcher' });
  expect(reads.length).toBeLessThan(6);
});
