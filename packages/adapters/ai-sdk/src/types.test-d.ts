import {
  generateText,
  isStepCount,
  type LanguageModel,
  Output,
  streamText,
  ToolLoopAgent,
  type ToolLoopAgentSettings,
  tool,
} from 'ai';
import { expectTypeOf, test } from 'vitest';
import { z } from 'zod';
import { guarded } from './index.js';

// Compiled with the tests and never run: the types of settings after `guarded`.
test('settings keep their types', async () => {
  const model = {} as Exclude<LanguageModel, string>;
  const tools = {
    read: tool({ inputSchema: z.object({ path: z.string() }), execute: async ({ path }) => ({ size: path.length }) }),
  };
  const output = Output.object({ schema: z.object({ sum: z.number() }) });
  type Size = { size: number };

  const agent = new ToolLoopAgent(
    guarded(
      {
        model,
        tools,
        output,
        toolApproval: { read: 'user-approval' },
        stopWhen: [isStepCount(3), ({ steps }) => steps.length > 2],
        prepareStep: ({ stepNumber }) => (stepNumber > 1 ? { activeTools: ['read'] } : {}),
        onStepEnd({ text }) {
          expectTypeOf(text).toEqualTypeOf<string>();
        },
      },
      { onStop: (error) => expectTypeOf(error.message).toEqualTypeOf<string>() },
    ),
  );
  const answer = await agent.generate({ prompt: '' });
  expectTypeOf(answer.output).toEqualTypeOf<{ sum: number }>();
  for (const result of answer.toolResults) if (!result.dynamic) expectTypeOf(result.output).toEqualTypeOf<Size>();

  const withOptions = new ToolLoopAgent(
    guarded({
      model,
      tools,
      callOptionsSchema: z.object({ user: z.string() }),
      prepareCall: ({ options, ...call }) => ({ ...call, instructions: options.user }),
    }),
  );
  await withOptions.generate({ prompt: '', options: { user: 'me' } });

  const shared = guarded({ model, tools, stopWhen: isStepCount(3) });
  const { toolResults } = await generateText({ ...shared, prompt: '' });
  for (const result of toolResults) if (!result.dynamic) expectTypeOf(result.output).toEqualTypeOf<Size>();

  const streamed = streamText(guarded({ model, tools, messages: [], onStepEnd: ({ text }) => void text.length }));
  for (const call of await streamed.toolCalls)
    if (!call.dynamic) expectTypeOf(call.input).toEqualTypeOf<{ path: string }>();

  const typed = {} as ToolLoopAgentSettings<never, typeof tools>;
  await new ToolLoopAgent(guarded(typed)).generate({ prompt: '' });
});
