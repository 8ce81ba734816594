import { type AdapterDriver, adapterLaws } from '@loopfuse/testkit/adapters';
import { Agent } from '@mastra/core/agent';
import { createTool } from '@mastra/core/tools';
import { z } from 'zod';
import { guarded } from './index.js';

const driver: AdapterDriver = {
  name: 'Mastra',
  protocol: 'openai-chat',
  cannot: { throw: 'a processor ends a run with a tripwire, which the SDK gives back and does not throw' },
  async run({ url, model, prompt, tools, stream, session, signal }) {
    const agent = new Agent(
      guarded(
        {
          id: 'worker',
          name: 'worker',
          instructions: 'Work.',
          model: { id: `scripted/${model}`, url: `${url}/v1`, apiKey: 'scripted' } as const,
          tools: Object.fromEntries(
            tools.map((one) => [
              one.name,
              createTool({
                id: one.name,
                description: one.description,
                inputSchema: z.object(Object.fromEntries(one.parameters.map((name) => [name, z.string()]))),
                execute: async (input) => one.execute(input as Record<string, string>),
              }),
            ]),
          ),
        },
        session,
      ),
    );
    const options = { maxSteps: 60, abortSignal: signal };
    if (!stream) {
      const { steps, text } = await agent.generate(prompt, options);
      return steps.at(-1)?.text ?? text; // `text` is that of all steps
    }
    const result = await agent.stream(prompt, options);
    for await (const _ of result.fullStream);
    return result.text;
  },
};

adapterLaws(driver);
