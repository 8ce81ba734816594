import { type AdapterDriver, adapterLaws, schemaOf } from '@loopfuse/testkit/adapters';
import { Agent, OpenAIProvider, Runner, tool } from '@openai/agents';
import { guarded } from './index.js';

const driver = (useResponses: boolean): AdapterDriver => ({
  name: `OpenAI Agents over the ${useResponses ? 'responses' : 'chat'} protocol`,
  protocol: useResponses ? 'openai-responses' : 'openai-chat',
  async run({ url, model, prompt, tools, stream, session, signal }) {
    const modelProvider = new OpenAIProvider({ apiKey: 'scripted', baseURL: `${url}/v1`, useResponses });
    const agent = new Agent({
      name: 'worker',
      model,
      tools: tools.map((one) =>
        tool({
          name: one.name,
          description: one.description,
          parameters: schemaOf(one),
          strict: true,
          execute: async (input) => one.execute(input as Record<string, string>),
        }),
      ),
    });
    const runner = new Runner({ modelProvider, tracingDisabled: true });
    const options = { maxTurns: 60, signal };
    const watched = guarded(agent, { session, modelProvider });
    if (!stream) return String((await runner.run(watched, prompt, options)).finalOutput);
    const result = await runner.run(watched, prompt, { ...options, stream: true });
    await result.completed;
    return String(result.finalOutput);
  },
});

adapterLaws(driver(true));
adapterLaws(driver(false));
