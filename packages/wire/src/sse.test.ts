import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createFrameReader, dataIn, frameEnd, framesEnd, readEvents } from './sse.js';

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

describe('createFrameReader', () => {
  it('gives the same frames at every cut, whatever ends the lines, and loses no byte', () => {
    const piece = fc.constantFrom(
      'data: 1',
      'event: x',
      ': ping',
      'data:',
      '\n',
      '\n\n',
      '\r\n',
      '\r\n\r\n',
      '\r',
      'é',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), fc.array(fc.nat(80), { maxLength: 12 }), (pieces, cuts) => {
        const bytes = new TextEncoder().encode(pieces.join(''));
        const framesOf = (parts: readonly Uint8Array[]) => {
          const reader = createFrameReader();
          return [...parts.flatMap((part) => reader.push(part)), ...reader.end()];
        };
        const places = [0, ...cuts.map((cut) => Math.min(cut, bytes.length)).sort((a, b) => a - b), bytes.length];
        const whole = framesOf([bytes]);
        const cut = framesOf(places.slice(1).map((to, k) => bytes.slice(places[k], to)));
        const single = framesOf(Array.from(bytes, (byte) => Uint8Array.of(byte)));
        const shown = (frames: typeof whole) =>
          frames.map(({ bytes: raw, ...rest }) => [Buffer.from(raw).toString(), rest]);
        expect(shown(cut)).toEqual(shown(whole));
        expect(shown(single)).toEqual(shown(whole));
        expect(Buffer.concat(whole.map(({ bytes: raw }) => raw)).equals(Buffer.from(bytes))).toBe(true);
      }),
      { numRuns: 400 },
    );
  });
});

describe('whole frames as text', () => {
  it('have the data that the frame reader finds, and end where it ends them', () => {
    const frame = fc.constantFrom(
      'data: {"a":1}',
      'data:2',
      'event: say\ndata: "é"',
      ': ping',
      'id: 7\nevent: say\ndata: 3',
      'data: a\ndata: b',
      'event: data: x\nid: 1',
      '',
    );
    fc.assert(
      fc.property(
        fc.array(frame),
        fc.constantFrom('\n', '\r\n'),
        fc.constantFrom('', 'data: hal'),
        (all, end, rest) => {
          const text = all.map((one) => `${one.replaceAll('\n', end)}${end}${end}`).join('');
          const bytes = new TextEncoder().encode(text + rest);
          const expected = createFrameReader()
            .push(bytes)
            .flatMap(({ data }) => (data === undefined ? [] : [data]));
          expect(dataIn(text)).toEqual(expected);
          expect(framesEnd(bytes)).toBe(all.some((one) => one !== '') ? bytes.length - rest.length : framesEnd(bytes));
          let ended = 0;
          for (let at = frameEnd(bytes, 0); at > 0; at = frameEnd(bytes, at)) ended = at;
          expect(ended).toBe(framesEnd(bytes));
        },
      ),
    );
  });
});
