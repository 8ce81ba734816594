import { innocent, startModelServer } from '@loopfuse/model-server';
import { openSession } from '@loopfuse/session';
import { openaiChat } from '@loopfuse/wire/openai-chat';
import OpenAI from 'openai';
import { expect, test } from 'vitest';
import { askStream, askWhole } from './ask.js';

// The history of a long session takes most of the time of a request here.
test.each([true, false])(
  'the history of a request is read once where every call has an id (streamed: %s)',
  async (stream) => {
    let reads = 0;
    const wire: typeof openaiChat = {
      ...openaiChat,
      readRequest(...args) {
        reads++;
        return openaiChat.readRequest(...args);
      },
    };
    const server = await startModelServer({ script: innocent() });
    const client = new OpenAI({ apiKey: 'scripted', baseURL: `${server.url}/v1` });
    const session = openSession();
    const parameters = { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] };
    const tools = [
      { type: 'function' as const, function: { name: 'read_file', description: 'Reads a file.', parameters } },
    ];
    const body = { model: 'scripted-model', messages: [{ role: 'user' as const, content: 'Read.' }], tools };
    try {
      if (stream)
        for await (const _ of askStream<object>(
          session,
          wire,
          { ...body, stream },
          (edited) => client.chat.completions.create(edited as never) as never,
        ));
      else await askWhole<object>(session, wire, body, (edited) => client.chat.completions.create(edited));
    } finally {
      await server.close();
    }
    expect(session.snapshot().lanes[0]?.calls).toHaveLength(1);
    expect(reads).toBe(1);
  },
);
