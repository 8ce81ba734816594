import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isSlowOn } from './confirm.mjs';

const attack = (pump, suffix) => ({ pumps: [{ prefix: '', pump }], suffix });

test('separates expressions that are slow on a text from those that are not', () => {
  assert.equal(isSlowOn({ source: String.raw`\s+$`, flags: '' }, attack(' ', 'x')), true);
  assert.equal(isSlowOn({ source: '^(?:a+)+$', flags: '' }, attack('a', 'x')), true);
  assert.equal(isSlowOn({ source: '[0-9a-f]{8}-[0-9a-f]{27}', flags: 'gi' }, attack('00000000-0', 'x')), false);
  assert.equal(isSlowOn({ source: String.raw`\s+`, flags: 'g' }, attack(' ', 'x')), false);
});
