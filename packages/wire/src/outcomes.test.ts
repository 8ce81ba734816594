import type { Json } from 'loopfuse';
import { expect, test } from 'vitest';
import { historyEvents } from './history-events.js';
import { wires } from './wires.js';

/** What the last result of a request says, with a picture in it, or beside it. */
const requests: Readonly<Record<string, (data: string) => Json>> = {
  'openai-chat': (data) => ({
    messages: [{ role: 'tool', tool_call_id: 'a', content: [{ type: 'text', text: 'Taken.' }, picture(data)] }],
  }),
  'openai-chat, beside': (data) => ({
    messages: [
      { role: 'tool', tool_call_id: 'a', content: 'Taken.' },
      { role: 'user', content: [picture(data)] },
    ],
  }),
  'openai-responses': (data) => ({
    input: [
      { type: 'function_call_output', call_id: 'a', output: [{ type: 'input_text', text: 'Taken.' }, seen(data)] },
    ],
  }),
  'openai-responses, beside': (data) => ({
    input: [
      { type: 'function_call_output', call_id: 'a', output: 'Taken.' },
      { role: 'user', content: [seen(data)] },
    ],
  }),
  anthropic: (data) => ({ messages: [{ role: 'user', content: [result([text, image(data)])] }] }),
  'anthropic, beside': (data) => ({ messages: [{ role: 'user', content: [result('Taken.'), image(data)] }] }),
  gemini: (data) => ({ contents: [{ role: 'user', parts: [taken([inline(data)])] }] }),
  'gemini, beside': (data) => ({ contents: [{ role: 'user', parts: [taken([]), inline(data)] }] }),
};

const text = { type: 'text', text: 'Taken.' };
const picture = (data: string) => ({ type: 'image_url', image_url: { url: `data:image/png;base64,${data}` } });
const seen = (data: string) => ({ type: 'input_image', image_url: `data:image/png;base64,${data}` });
const image = (data: string) => ({ type: 'image', source: { type: 'base64', media_type: 'image/png', data } });
const result = (content: Json) => ({ type: 'tool_result', tool_use_id: 'a', content });
const inline = (data: string) => ({ inlineData: { mimeType: 'image/png', data } });
const taken = (parts: Json) => ({
  functionResponse: { id: 'a', name: 'screenshot', response: { output: 'Taken.' }, parts },
});

test.each(Object.entries(requests))('two pictures under the same words are two outcomes: %s', (name, requestOf) => {
  const wire = wires[name.split(',')[0] as keyof typeof wires];
  const outcomeOf = (data: string) =>
    wire.readRequest(requestOf(data)).messages.flatMap(({ results }) => results.map((one) => one.text));
  const long = 'iVBORw0KGgo'.repeat(5_000);
  const [outcome = ''] = outcomeOf(long);
  expect(outcome).toMatch(/^Taken\..*image/);
  expect(outcome.length).toBeLessThan(300);
  expect(outcomeOf(long)).toEqual([outcome]);
  expect(outcomeOf(`${long.slice(0, -1)}A`)).not.toEqual([outcome]);
});

test('how a part of an outcome is marked for the cache does not change it', () => {
  const outcomeOf = (part: Json) =>
    wires.anthropic.readRequest({ messages: [{ role: 'user', content: [result([part])] }] }).messages[0]?.results;
  expect(outcomeOf({ ...image('x'), cache_control: { type: 'ephemeral' } })).toEqual(outcomeOf(image('x')));
});

test.each([
  ['openai-chat', (data: string) => ({ messages: [{ role: 'user', content: [picture(data)] }] })],
  ['openai-responses', (data: string) => ({ input: [{ role: 'user', content: [seen(data)] }] })],
  ['anthropic', (data: string) => ({ messages: [{ role: 'user', content: [image(data)] }] })],
  ['gemini', (data: string) => ({ contents: [{ role: 'user', parts: [inline(data)] }] })],
] as const)(
  'a message that is only a picture is told from others, and is a request where one may be: %s',
  (name, of) => {
    const read = (data: string) => wires[name].readRequest(of(data)).messages;
    const long = 'iVBORw0KGgo'.repeat(5_000);
    expect(read(long)).toMatchObject([{ role: 'user', wordless: true }]);
    expect(read(long)[0]!.text.length).toBeLessThan(300);
    expect(read(`${long.slice(0, -1)}A`)).not.toEqual(read(long));
    expect(historyEvents(read(long))).toEqual([]);
    expect(historyEvents(read(long), { wordless: true })).toEqual([{ type: 'prompt', text: read(long)[0]!.text }]);
  },
);
