// Guard an agent of Strands Agents. The model is a scripted server on this machine that reads the same file over and over.
//
// Prints: read README.md
// Prints: refused a call
// Prints: last answer: Having been told, it sends the same call again.
// Prints: found: repeated-calls
import { loopsForever, startModelServer } from '@loopfuse/model-server';
import { loopPlugin, openSession } from '@loopfuse/strands';
import { Agent, tool } from '@strands-agents/sdk';
import { OpenAIModel } from '@strands-agents/sdk/models/openai';
import { z } from 'zod';

const server = await startModelServer({ script: loopsForever({ rounds: 30 }) });
const session = openSession({
  onDecision: (decision) => decision.type === 'block' && console.log('refused a call'),
});
const agent = new Agent({
  model: new OpenAIModel({
    modelId: 'scripted-model',
    apiKey: 'none needed',
    clientConfig: { baseURL: `${server.url}/v1` },
  }),
  systemPrompt: 'Answer from the files.',
  printer: false,
  plugins: [loopPlugin(session)],
  tools: [
    tool({
      name: 'read_file',
      description: 'Reads a file.',
      inputSchema: z.object({ path: z.string() }),
      callback: ({ path }) => {
        console.log(`read ${path}`);
        return '# Sample';
      },
    }),
  ],
});

const result = await agent.invoke('What is in the readme?');
console.log(`last answer: ${result}`);
console.log(`found: ${session.error.findings[0].kind}`);
await server.close();
