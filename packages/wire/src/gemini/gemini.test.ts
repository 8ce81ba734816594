import { translatorLaws } from '@loopfuse/testkit';
import { expect, test } from 'vitest';
import { trafficBeside } from '../testing/traffic-beside.js';
import { gemini } from './index.js';

translatorLaws(gemini, trafficBeside(import.meta.url));

test.each([
  [{ output: 'text', error: null }, 'text', false],
  [{ error: 'no such file' }, 'no such file', true],
])('the result %j has failed only where it names an error', (response, text, failed) => {
  const parts = [{ functionResponse: { name: 'read_file', response } }];
  const [message] = gemini.readRequest({ contents: [{ role: 'user', parts }] }).messages;
  expect(message?.results).toMatchObject([{ text, failed }]);
});
