import { createOpenAI } from '@ai-sdk/openai';
import { type AdapterDriver, adapterLaws, schemaOf } from '@loopfuse/testkit/adapters';
import { dynamicTool, generateText, isStepCount, jsonSchema, streamText, ToolLoopAgent } from 'ai';
import { guarded } from './index.js';

const functions: AdapterDriver = {
  name: 'generateText and streamText',
  protocol: 'openai-chat',
  async run({ url, model, prompt, tools, stream, session, signal }) {
    const settings = guarded(
      {
        model: createOpenAI({ baseURL: `${url}/v1`, apiKey: 'scripted' }).chat(model),
        tools: toolSet(tools),
        stopWhen: isStepCount(60),
        prompt,
        abortSignal: signal,
      },
      session,
    );
    if (!stream) return (await generateText(settings)).text;
    let failed: unknown;
    const result = streamText({
      ...settings,
      onError: ({ error }) => {
        failed = error;
      },
    });
    await result.consumeStream();
    if (failed !== undefined) throw failed;
    return result.text;
  },
};

const agent: AdapterDriver = {
  name: 'ToolLoopAgent over the responses protocol',
  protocol: 'openai-responses',
  async run({ url, model, prompt, tools, stream, session, signal }) {
    const made = new ToolLoopAgent(
      guarded(
        {
          model: createOpenAI({ baseURL: `${url}/v1`, apiKey: 'scripted' }).responses(model),
          tools: toolSet(tools),
          stopWhen: isStepCount(60),
        },
        session,
      ),
    );
    if (!stream) return (await made.generate({ prompt, abortSignal: signal })).text;
    const result = await made.stream({ prompt, abortSignal: signal });
    let failed: unknown;
    for await (const part of result.stream) if (part.type === 'error') failed = part.error;
    if (failed !== undefined) throw failed;
    return result.text;
  },
};

function toolSet(tools: Parameters<AdapterDriver['run']>[0]['tools']) {
  return Object.fromEntries(
    tools.map((one) => [
      one.name,
      dynamicTool({
        description: one.description,
        inputSchema: jsonSchema(schemaOf(one)),
        execute: async (input) => one.execute(input as Record<string, string>),
      }),
    ]),
  );
}

adapterLaws(functions);
adapterLaws(agent);
