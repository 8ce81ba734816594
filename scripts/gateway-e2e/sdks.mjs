// Started by ../gateway-sdks.mjs.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { createGateway, listen } from '@loopfuse/gateway';
import { fails, say, startModelServer } from '@loopfuse/model-server';

const require = createRequire(join(process.env.SDKS, 'package.json'));
const load = async (name) => import(pathToFileURL(require.resolve(name)));
const { default: OpenAI } = await load('openai');
const { default: Anthropic } = await load('@anthropic-ai/sdk');
const { GoogleGenAI } = await load('@google/genai');
const { streamText } = await import(pathToFileURL(join(process.env.SDKS, 'node_modules/ai/dist/index.js')));
const { createOpenAI } = await import(
  pathToFileURL(join(process.env.SDKS, 'node_modules/@ai-sdk/openai/dist/index.js'))
);

const text = 'Ten green bottles were standing on the wall, and each of them had a name of its own.';
const messages = [{ role: 'user', content: 'Tell me of the bottles.' }];
const apiKey = 'no-key';

/** Every client gives its text piece by piece. */
const clients = {
  async *'openai, chat'(url, signal) {
    const client = new OpenAI({ apiKey, baseURL: `${url}/v1` });
    const stream = await client.chat.completions.create({ model: 'm', stream: true, messages }, { signal });
    for await (const { choices } of stream) yield choices[0]?.delta.content ?? '';
  },
  async *'openai, responses'(url, signal) {
    const client = new OpenAI({ apiKey, baseURL: `${url}/v1` });
    const stream = await client.responses.create({ model: 'm', stream: true, input: messages }, { signal });
    for await (const event of stream) {
      if (event.type === 'error') throw new Error(event.message);
      yield event.type === 'response.output_text.delta' ? event.delta : '';
    }
  },
  async *'@anthropic-ai/sdk'(url, signal) {
    const client = new Anthropic({ apiKey, baseURL: url });
    const stream = await client.messages.create({ model: 'm', max_tokens: 1000, stream: true, messages }, { signal });
    for await (const event of stream) yield event.type === 'content_block_delta' ? (event.delta.text ?? '') : '';
  },
  async *'@google/genai'(url, signal) {
    const client = new GoogleGenAI({ apiKey, httpOptions: { baseUrl: url, retryOptions: { attempts: 3 } } });
    const config = { abortSignal: signal };
    for await (const chunk of await client.models.generateContentStream({
      model: 'm',
      contents: messages[0].content,
      config,
    }))
      yield chunk.text ?? '';
  },
  async *'ai with @ai-sdk/openai'(url, abortSignal) {
    const model = createOpenAI({ apiKey, baseURL: `${url}/v1` }).chat('m');
    let failure;
    const onError = ({ error }) => {
      failure ??= error instanceof Error ? error : new Error(JSON.stringify(error));
    };
    try {
      yield* streamText({ model, messages, abortSignal, onError }).textStream;
    } catch (cause) {
      throw failure ?? cause; // that the connection was cut comes after the reason
    }
  },
};

let model;
let gateway;
let listener;
before(async () => {
  model = await startModelServer({ script: () => say(text) });
  const upstream = new URL(model.url);
  gateway = createGateway({ upstreams: { openai: upstream, anthropic: upstream, gemini: upstream } });
  listener = await listen(gateway.handle);
});
after(async () => {
  await listener.close();
  await gateway.close();
  await model.close();
});

for (const [name, pieces] of Object.entries(clients))
  describe(name, () => {
    it('streams', async () => {
      model.setScript(() => say(text));
      const got = [];
      for await (const piece of pieces(listener.url)) if (piece !== '') got.push(piece);
      assert.equal(got.join(''), text);
      assert.ok(got.length > 5, `it came in ${got.length} pieces`);
    });

    it('leaves in mid-stream, and the upstream is closed', async () => {
      const words = Array.from({ length: 400 }, (_, k) => `bottle ${k} is green`).join(', ');
      model.setScript(() => ({ ...say(words), pace: { delay: 5 } }));
      const leaving = new AbortController();
      let got = 0;
      try {
        for await (const piece of pieces(listener.url, leaving.signal))
          if (piece !== '' && ++got === 3) leaving.abort();
      } catch (cause) {
        if (!leaving.signal.aborted) throw cause;
      }
      const last = model.requests.at(-1);
      for (let k = 0; k < 100 && last.delivery === undefined; k++)
        await new Promise((resolve) => setTimeout(resolve, 50));
      assert.equal(last.delivery, 'gone');
    });

    it('says why an answer broke off', async () => {
      model.setScript(() => ({ ...say(text), fault: { type: 'cut', after: 8 } }));
      let got = '';
      const reading = async () => {
        for await (const piece of pieces(listener.url)) got += piece;
      };
      await assert.rejects(reading, /closed the connection before its answer was complete/);
      assert.ok(got !== '' && text.startsWith(got), `it got ${JSON.stringify(got)}`);
    });

    it('tries again after an error', async () => {
      const seen = model.seen;
      let failed = false;
      model.setScript((turn) => {
        if (failed) return say(text);
        failed = true;
        return fails(503)(turn);
      });
      let got = '';
      for await (const piece of pieces(listener.url)) got += piece;
      assert.equal(got, text);
      assert.equal(model.seen, seen + 2);
    });
  });
