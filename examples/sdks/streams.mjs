// Guard a stream of @anthropic-ai/sdk in a loop of your own. The model is a scripted server on this machine that says
// one sentence over and over; its answer is cut short, asked for again, and then ended.
//
// Prints: requests to the model: 3
// Prints: stopped: chanting
import Anthropic from '@anthropic-ai/sdk';
import { chants, startModelServer } from '@loopfuse/model-server';
import { guardedAnthropic, openSession } from '@loopfuse/streams';

const server = await startModelServer({ script: chants() });
const session = openSession();
const client = guardedAnthropic(new Anthropic({ baseURL: server.url, apiKey: 'none needed' }), session);

let text = '';
const stream = await client.messages.create({
  model: 'scripted-model',
  max_tokens: 1000,
  messages: [{ role: 'user', content: 'Is the configuration right?' }],
  stream: true,
});
for await (const event of stream)
  if (event.type === 'content_block_delta' && event.delta.type === 'text_delta') text += event.delta.text;

console.log(`${text.length} characters, ending in: ${text.slice(-80)}`);
console.log(`requests to the model: ${server.requests.length}`);
console.log(`stopped: ${session.error?.findings[0].kind}`);
await server.close();
