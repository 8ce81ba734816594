import { translatorLaws } from '@loopfuse/testkit';
import { expect, test } from 'vitest';
import { trafficBeside } from '../testing/traffic-beside.js';
import { openaiChat } from './index.js';

translatorLaws(openaiChat, trafficBeside(import.meta.url));

test('a chunk that says there is no error is no error, and does not end the answer', () => {
  const reader = openaiChat.readAnswer();
  reader.read({ error: null, choices: [{ index: 0, delta: { content: 'Hello' }, finish_reason: null }] });
  expect({ complete: reader.complete, error: reader.error }).toEqual({ complete: false, error: undefined });
  reader.read({ error: { message: 'overloaded' } });
  expect({ complete: reader.complete, error: reader.error }).toEqual({ complete: true, error: 'overloaded' });
});
