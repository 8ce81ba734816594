import { type AdapterDriver, adapterLaws } from '@loopfuse/testkit/adapters';
import { Agent } from '@mastra/core/agent';
import { Mastra } from '@mastra/core/mastra';
import { InMemoryStore } from '@mastra/core/storage';
import { createTool } from '@mastra/core/tools';
import { z } from 'zod';
import { guarded, withLoopError } from './index.js';

const driver: AdapterDriver = {
  name: 'Mastra',
  protocol: 'openai-chat',
  async run({ url, model, stronger, prompt, tools, stream, session, signal, approve }) {
    const modelOf = (name: string) => ({ id: `scripted/${name}`, url: `${url}/v1`, apiKey: 'scripted' }) as const;
    const agent = new Agent(
      guarded(
        {
          id: 'worker',
          name: 'worker',
          instructions: 'Work.',
          model: modelOf(model),
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
        { session, escalateTo: modelOf(stronger), approves: true },
      ),
    );
    new Mastra({ agents: { worker: agent }, storage: new InMemoryStore(), logger: false });
    const options = { maxSteps: 60, abortSignal: signal };
    if (!stream) {
      let result = await withLoopError(agent.generate(prompt, options), session);
      while (result.finishReason === 'suspended') {
        const pending = { ...options, runId: result.runId ?? '', toolCallId: result.suspendPayload.toolCallId };
        result = approve(session.question?.message ?? '')
          ? await agent.approveToolCallGenerate(pending)
          : await agent.declineToolCallGenerate(pending);
      }
      return result.steps.at(-1)?.text ?? result.text; // `text` is that of all steps
    }
    let result = await agent.stream(prompt, options);
    for (;;) {
      let pending: string | undefined;
      for await (const part of result.fullStream) {
        if (part.type === 'tool-call-approval') pending = part.payload.toolCallId;
        if (part.type === 'error') throw part.payload.error;
      }
      if (pending === undefined) return withLoopError(result.text, session);
      const resumed = { ...options, runId: result.runId, toolCallId: pending };
      result = approve(session.question?.message ?? '')
        ? await agent.approveToolCall(resumed)
        : await agent.declineToolCall(resumed);
    }
  },
};

adapterLaws(driver);
