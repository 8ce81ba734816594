import type { Json } from 'loopfuse';
import { describe, expect, it } from 'vitest';
import { contentOf, wordsOf } from './content.js';

describe('content', () => {
  const picture = (data: string): Json => [
    { type: 'image', source: { type: 'base64', media_type: 'image/png', data } },
  ];

  it('joins blocks of text', () => {
    expect(
      contentOf([
        { type: 'text', text: 'a' },
        { type: 'text', text: 'b' },
      ]),
    ).toBe('a\nb');
    expect(wordsOf([{ type: 'image' }, { type: 'text', text: 'b' }])).toBe('b');
  });

  it('distinguishes two pictures, and gives the same mark for the same picture', () => {
    expect(contentOf(picture('AAAA'))).toBe(contentOf(picture('AAAA')));
    expect(contentOf(picture('AAAA'))).not.toBe(contentOf(picture('AAAB')));
  });

  it('leaves what is no text as it is', () => {
    const rows: Json = [{ query: 'x', success: true }];
    expect(contentOf(rows)).toBe(rows);
  });
});
