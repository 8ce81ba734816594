import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { prompt } from './prompt.generated.js';

describe('the prompt', () => {
  test('is the text of prompt.md; `npm run prompt` writes it', () => {
    expect(prompt).toBe(readFileSync(new URL('prompt.md', import.meta.url), 'utf8').trim());
  });

  test('explains every key of the record', () => {
    const source = readFileSync(new URL('transcript/render-record.ts', import.meta.url), 'utf8');
    const keys = new Set([...source.matchAll(/line\(\{ n, (\w+):/g)].map(([, key]) => key!));
    for (const key of ['agent_calls', 'result_not_recorded', 'result_same_as_n', 'entries_left_out', ...keys])
      expect(prompt).toContain(`\`${key}\``);
    expect(keys.size).toBe(5);
  });
});
