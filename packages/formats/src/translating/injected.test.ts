import { describe, expect, it } from 'vitest';
import { isWrapped } from './injected.js';

describe('a message in a tag', () => {
  it('was written by the agent when the tag holds all of it', () => {
    expect(isWrapped('<environment_context>\n<cwd>/x</cwd>\n</environment_context>\n')).toBe(true);
    expect(isWrapped('<b>Bold</b> words of mine')).toBe(false);
    expect(isWrapped('2 < 3')).toBe(false);
  });
});
