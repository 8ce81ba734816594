import type { Json } from 'loopfuse';
import { expect, test } from 'vitest';
import { outputOf } from './output.js';

test.each<[string, Json | undefined, Json]>([
  ['nothing', undefined, ''],
  ['null', null, ''],
  ['a text', 'found', 'found'],
  ['a number', 7, 7],
  ['what a process wrote', { stdout: 'out', stderr: 'err', interrupted: false }, 'out\nerr'],
  ['what a process wrote, and nothing on one side', { stdout: '', stderr: 'err' }, 'err'],
  ['what a process wrote, one side alone', { stdout: 'out', durationMs: 12 }, 'out'],
  ['a text for the model beside one for people', { textResultForLlm: 'short', output: 'long' }, 'short'],
  ['a file', { type: 'text', file: { filePath: 'a.ts', content: 'let a;' } }, 'let a;'],
  ['content blocks', { content: [{ type: 'text', text: 'a' }, 'b'], requestId: 7 }, 'a\nb'],
  ['a list of content blocks', [{ type: 'text', text: 'a' }], 'a'],
  [
    'blocks of which one is no text',
    [{ type: 'text', text: 'a' }, { type: 'image' }],
    [{ type: 'text', text: 'a' }, { type: 'image' }],
  ],
  ['one block', { llmContent: { text: 'a' } }, 'a'],
  ['an error', { error: 'no such file' }, 'no such file'],
  ['a record of another kind', { rows: 3 }, { rows: 3 }],
])('%s', (_what, response, output) => {
  expect(outputOf(response)).toEqual(output);
});
