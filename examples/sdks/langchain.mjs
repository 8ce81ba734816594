// Guard an agent of LangChain with a middleware. The model is a scripted server on this machine that says one sentence
// over and over; the middleware asks it again, and then ends the run.
//
// Prints: told the model: The message repeats
// Prints: the last message:
// Prints: stopped: chanting
import { ChatOpenAI } from '@langchain/openai';
import { loopMiddleware } from '@loopfuse/langchain';
import { chants, startModelServer } from '@loopfuse/model-server';
import { createAgent } from 'langchain';

const server = await startModelServer({ script: chants() });
const agent = createAgent({
  model: new ChatOpenAI({ model: 'scripted-model', apiKey: 'none', configuration: { baseURL: `${server.url}/v1` } }),
  tools: [],
  middleware: [
    loopMiddleware({
      onDecision: (decision) => decision.type === 'steer' && console.log(`told the model: ${decision.message}`),
      onStop: (error) => console.log(`stopped: ${error.findings[0].kind}`),
    }),
  ],
});

const { messages } = await agent.invoke({ messages: [{ role: 'user', content: 'Is the configuration right?' }] });
console.log(`the last message: ${messages.at(-1).text}`);
await server.close();
