// Guard an agent of Google's ADK. The model is a scripted server on this machine that reads the same file over and over.
//
// Prints: read README.md
// Prints: refused a call
// Prints: last answer: Having been told, it sends the same call again.
// Prints: found: repeated-calls
import { FunctionTool, Gemini, InMemoryRunner, LlmAgent } from '@google/adk';
import { guarded, openSession } from '@loopfuse/google-adk';
import { loopsForever, startModelServer } from '@loopfuse/model-server';
import { z } from 'zod';

const server = await startModelServer({ script: loopsForever({ rounds: 30 }) });
process.env.GOOGLE_GEMINI_BASE_URL = server.url;

const session = openSession({
  onDecision: (decision) => decision.type === 'block' && console.log('refused a call'),
});
const agent = new LlmAgent(
  guarded(
    {
      name: 'reader',
      model: new Gemini({ model: 'scripted-model', apiKey: 'none needed', vertexai: false }),
      instruction: 'Answer from the files.',
      tools: [
        new FunctionTool({
          name: 'read_file',
          description: 'Reads a file.',
          parameters: z.object({ path: z.string() }),
          execute: async ({ path }) => {
            console.log(`read ${path}`);
            return '# Sample';
          },
        }),
      ],
    },
    session,
  ),
);

const newMessage = { role: 'user', parts: [{ text: 'What is in the readme?' }] };
let last = '';
for await (const { content } of new InMemoryRunner({ agent }).runEphemeral({ userId: 'me', newMessage }))
  last = content?.parts?.at(-1)?.text ?? last;
console.log(`last answer: ${last}`);
console.log(`found: ${session.error.findings[0].kind}`);
await server.close();
