// Guard an agent of the OpenAI Agents SDK, streaming. The model is a scripted server on this machine that searches and
// reads by turns, for ever, until it is told so.
//
// Prints: search_files main
// Prints: read_file README.md
// Prints: told the model: The same 2 calls, read_file (README.md) and search_files (main), went round 3 times
// Prints: answer: You are right, I was repeating myself.
// Prints: stopped: no
import { alternates, recoversAfterSteer, startModelServer } from '@loopfuse/model-server';
import { guarded, openSession } from '@loopfuse/openai-agents';
import { Agent, OpenAIProvider, Runner, tool } from '@openai/agents';
import { z } from 'zod';

const script = recoversAfterSteer({ marker: '[Loop guard]', loop: alternates({ rounds: 30 }) });
const server = await startModelServer({ script });
const modelProvider = new OpenAIProvider({ baseURL: `${server.url}/v1`, apiKey: 'none needed' });

const toolThat = (name, parameter, answer) =>
  tool({
    name,
    description: name,
    parameters: z.object({ [parameter]: z.string() }),
    execute: async (input) => {
      console.log(name, input[parameter]);
      return answer;
    },
  });
const agent = new Agent({
  name: 'researcher',
  model: 'scripted-model',
  tools: [toolThat('read_file', 'path', '# Sample'), toolThat('search_files', 'query', 'README.md')],
});

const session = openSession({
  onDecision: (decision) => decision.type === 'steer' && console.log(`told the model: ${decision.message}`),
});
const runner = new Runner({ modelProvider, tracingDisabled: true });
const result = await runner.run(guarded(agent, { session, modelProvider }), 'What does main do?', {
  stream: true,
  maxTurns: 50,
});
await result.completed;
console.log(`answer: ${result.finalOutput}`);
console.log(`stopped: ${session.error ? 'yes' : 'no'}`);
await server.close();
