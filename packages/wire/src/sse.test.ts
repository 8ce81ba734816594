import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readEvents } from './sse.js';

type ServerEvent = { readonly event?: string; readonly data: string };

async function* cutUp(bytes: Uint8Array, size: number) {
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size);
}

async function read(text: string, size = 7): Promise<readonly ServerEvent[]> {
  const events: ServerEvent[] = [];
  for await (const event of readEvents(cutUp(new TextEncoder().encode(text), size))) events.push(event);
  return events;
}

describe('readEvents', () => {
  it('finds the same events at every cut of the bytes', async () => {
    const line = fc.string({ unit: 'grapheme' }).map((text) => JSON.stringify(text));
    await fc.assert(
      fc.asyncProperty(
        fc.array(line),
        fc.constantFrom('\n', '\r\n'),
        fc.integer({ min: 1, max: 9 }),
        async (all, end, size) => {
          const text = all.map((data) => `event: say${end}data: ${data}${end}${end}`).join('');
          expect(await read(text, size)).toEqual(all.map((data) => ({ event: 'say', data })));
        },
      ),
    );
  });

  it('drops comments and an event without its end', async () => {
    expect(await read(': hello\n\ndata: 1\n\ndata: 2\n')).toEqual([{ data: '1' }]);
  });
});
