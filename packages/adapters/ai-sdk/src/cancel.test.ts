import type { LanguageModel } from 'ai';
import { expect, test } from 'vitest';
import { loopMiddleware } from './index.js';

type Model = Extract<LanguageModel, { specificationVersion: 'v4' }>;

test('a stream that is cancelled while the model is silent is cancelled at the model', async () => {
  let cancelled: unknown;
  const silent = new ReadableStream({
    start: (controller) => controller.enqueue({ type: 'stream-start', warnings: [] }),
    cancel(reason) {
      cancelled = reason;
    },
  });
  const model = { doStream: async () => ({ stream: silent }) } as unknown as Model;
  const { wrapStream } = loopMiddleware();
  const params = { prompt: [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'go' }] }] };
  const { stream } = await wrapStream!({ params, model, doGenerate: undefined as never, doStream: undefined as never });
  const reader = stream.getReader();
  await reader.read();
  await reader.cancel('enough');
  expect(cancelled).toBe('enough');
});
