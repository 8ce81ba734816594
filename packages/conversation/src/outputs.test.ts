import type { ClientEvent } from '@loopfuse/agent';
import { expect, test } from 'vitest';
import { createOutputs } from './outputs.js';

const request = (id: string): ClientEvent => ({
  type: 'tool-call-request',
  call: { id, tool: 'run_shell_command', input: { command: id } },
  title: `$ ${id}`,
});
const writes = (id: string, text: string): ClientEvent => ({ type: 'tool-call-output', id, text });
const brings = (id: string, output: string, status: 'ok' | 'not-run' = 'ok'): ClientEvent => ({
  type: 'tool-call-result',
  id,
  tool: 'run_shell_command',
  status,
  output,
});

function kept(most: number, ...events: readonly ClientEvent[]) {
  const outputs = createOutputs(most);
  for (const event of events) outputs.observe(event);
  return outputs;
}

test('the whole output of a call is kept, even where the model gets only a part', () => {
  const lines = Array.from({ length: 5000 }, (_, k) => writes('a', `line ${k}\n`));
  const whole = kept(1_000_000, request('a'), ...lines, brings('a', 'line 0 [cut] line 4999')).of('a');
  expect(whole).toMatchObject({ title: '$ a', missing: 0 });
  expect(whole?.text.split('\n')).toHaveLength(5001);
});

test('the result is the output of a call that writes nothing while it runs', () => {
  const outputs = kept(1000, request('a'), brings('a', 'found'), request('b'), brings('b', 'for the model', 'not-run'));
  expect(outputs.of('a')).toMatchObject({ text: 'found', missing: 0 });
  expect([outputs.of('b'), outputs.of('c')]).toEqual([undefined, undefined]);
});

test('the oldest output is dropped when there is no room, and its size is reported', () => {
  const outputs = kept(10, request('a'), writes('a', '12345'), writes('a', '67890'), request('b'), writes('b', 'abc'));
  expect(outputs.of('a')).toMatchObject({ text: '67890', missing: 5 });
  expect(outputs.of('b')).toMatchObject({ text: 'abc', missing: 0 });
});

test('results count towards the bound', () => {
  const outputs = kept(10, request('a'), brings('a', '12345678'), request('b'), brings('b', 'abcdef'));
  expect([outputs.of('a'), outputs.of('b')?.text]).toEqual([undefined, 'abcdef']);
});
