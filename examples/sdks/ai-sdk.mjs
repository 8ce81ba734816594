// Guard an agent of the Vercel AI SDK. The model is a scripted server on this machine that reads the same file over and
// over; with a key and another baseURL the same lines guard a real one.
//
// Prints: read README.md
// Prints: told the model: The call read_file (README.md) was made 3 times in a row
// Prints: refused a call
// Prints: stopped after 5 steps: repeated-calls
import { createOpenAI } from '@ai-sdk/openai';
import { guarded, openSession } from '@loopfuse/ai-sdk';
import { loopsForever, startModelServer } from '@loopfuse/model-server';
import { generateText, isStepCount, tool } from 'ai';
import { z } from 'zod';

const server = await startModelServer({ script: loopsForever({ rounds: 30 }) });
const openai = createOpenAI({ baseURL: `${server.url}/v1`, apiKey: 'none needed' });

const session = openSession({
  onDecision(decision) {
    if (decision.type === 'steer') console.log(`told the model: ${decision.message}`);
    if (decision.type === 'block') console.log('refused a call');
  },
});

const { steps } = await generateText(
  guarded(
    {
      model: openai.chat('scripted-model'),
      tools: {
        read_file: tool({
          description: 'Reads a file.',
          inputSchema: z.object({ path: z.string() }),
          execute: async ({ path }) => {
            console.log(`read ${path}`);
            return '# Sample';
          },
        }),
      },
      stopWhen: isStepCount(50),
      prompt: 'What is in the readme?',
    },
    session,
  ),
);

console.log(`stopped after ${steps.length} steps: ${session.error?.findings[0].kind}`);
await server.close();
