import { createOpenAI } from '@ai-sdk/openai';
import { type AdapterDriver, adapterLaws, schemaOf } from '@loopfuse/testkit/adapters';
import {
  type ContentPart,
  dynamicTool,
  generateText,
  isStepCount,
  jsonSchema,
  type ModelMessage,
  streamText,
  ToolLoopAgent,
  type ToolSet,
} from 'ai';
import { guarded } from './index.js';

type Run = Parameters<AdapterDriver['run']>[0];

/**
 * Requests until nothing waits for an approval. Every one is made with settings of its own, as a server makes them for
 * every request of a browser.
 */
async function converse(
  { prompt, approve }: Run,
  ask: (
    messages: ModelMessage[],
  ) => Promise<{ content: ContentPart<ToolSet>[]; messages: ModelMessage[]; text: string }>,
): Promise<string> {
  const history: ModelMessage[] = [{ role: 'user', content: prompt }];
  for (;;) {
    const { content, messages, text } = await ask(history);
    const requests = content
      .filter((part) => part.type === 'tool-approval-request')
      .filter((part) => !part.isAutomatic);
    if (requests.length === 0) return text;
    const responses = requests.map(({ approvalId, reason = '' }) => ({
      type: 'tool-approval-response' as const,
      approvalId,
      approved: approve(reason),
    }));
    history.push(...messages, { role: 'tool', content: responses });
  }
}

const functions: AdapterDriver = {
  name: 'generateText and streamText',
  protocol: 'openai-chat',
  run(run) {
    const { url, model, stronger, tools, stream, session, signal } = run;
    const provider = createOpenAI({ baseURL: `${url}/v1`, apiKey: 'scripted' });
    return converse(run, async (messages) => {
      const settings = guarded(
        {
          model: provider.chat(model),
          tools: toolSet(tools),
          stopWhen: isStepCount(60),
          messages,
          abortSignal: signal,
        },
        { session, escalateTo: provider.chat(stronger) },
      );
      if (!stream) {
        const { content, text, responseMessages } = await generateText(settings);
        return { content, text, messages: responseMessages };
      }
      let failed: unknown;
      const result = streamText({
        ...settings,
        onError: ({ error }) => {
          failed = error;
        },
      });
      await result.consumeStream();
      if (failed !== undefined) throw failed;
      return { content: await result.content, text: await result.text, messages: await result.responseMessages };
    });
  },
};

const agent: AdapterDriver = {
  name: 'ToolLoopAgent over the responses protocol',
  protocol: 'openai-responses',
  run(run) {
    const { url, model, stronger, tools, stream, session, signal } = run;
    const provider = createOpenAI({ baseURL: `${url}/v1`, apiKey: 'scripted' });
    const made = new ToolLoopAgent(
      guarded(
        { model: provider.responses(model), tools: toolSet(tools), stopWhen: isStepCount(60) },
        { session, escalateTo: provider.responses(stronger) },
      ),
    );
    return converse(run, async (messages) => {
      if (!stream) {
        const { content, text, responseMessages } = await made.generate({ messages, abortSignal: signal });
        return { content, text, messages: responseMessages };
      }
      const result = await made.stream({ messages, abortSignal: signal });
      let failed: unknown;
      for await (const part of result.stream) if (part.type === 'error') failed = part.error;
      if (failed !== undefined) throw failed;
      return { content: await result.content, text: await result.text, messages: await result.responseMessages };
    });
  },
};

function toolSet(tools: Run['tools']) {
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
