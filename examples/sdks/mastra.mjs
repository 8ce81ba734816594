// Guard an agent of Mastra. The model is a scripted server on this machine that reads the same file over and over.
//
// Prints: read README.md
// Prints: refused a call
// Prints: tripwire: Having been told, it sends the same call again.
// Prints: found: repeated-calls
import { guarded } from '@loopfuse/mastra';
import { loopsForever, startModelServer } from '@loopfuse/model-server';
import { Agent } from '@mastra/core/agent';
import { createTool } from '@mastra/core/tools';
import { z } from 'zod';

const server = await startModelServer({ script: loopsForever({ rounds: 30 }) });
const read_file = createTool({
  id: 'read_file',
  description: 'Reads a file.',
  inputSchema: z.object({ path: z.string() }),
  execute: async ({ path }) => {
    console.log(`read ${path}`);
    return '# Sample';
  },
});
const agent = new Agent(
  guarded(
    {
      id: 'reader',
      name: 'reader',
      instructions: 'Answer from the files.',
      model: { id: 'scripted/scripted-model', url: `${server.url}/v1`, apiKey: 'none needed' },
      tools: { read_file },
    },
    { onDecision: (decision) => decision.type === 'block' && console.log('refused a call') },
  ),
);

const { tripwire } = await agent.generate('What is in the readme?', { maxSteps: 50 });
console.log(`tripwire: ${tripwire.reason}`);
console.log(`found: ${tripwire.metadata.findings[0].kind}`);
await server.close();
