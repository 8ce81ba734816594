import type { AgentEvent } from 'loopfuse';
import { expect, test } from 'vitest';
import { claudeCode, readingOn } from '../index.js';

const line = (uuid: string, text: string) =>
  `${JSON.stringify({
    type: 'assistant',
    uuid,
    sessionId: 's',
    message: { id: uuid, role: 'assistant', content: [{ type: 'text', text }] },
  })}\n`;

function textsOf(chunks: readonly string[]): string[] {
  const events: AgentEvent[] = [];
  const reading = readingOn(claudeCode, 's.jsonl', { onEvent: (event) => events.push(event) });
  for (const chunk of chunks) reading.push(Buffer.from(chunk));
  return events.flatMap((event) => (event.type === 'text' ? [event.text] : []));
}

test('a known format is read from any line on, cut anywhere, without its head', () => {
  const text = line('a', 'one') + line('b', 'two') + line('a', 'one');
  expect(textsOf([text])).toEqual(['one', 'two']);
  expect(textsOf([...text])).toEqual(['one', 'two']);
});

test('what the visitor throws comes out as it was', () => {
  const cause = new Error('enough');
  const reading = readingOn(claudeCode, 's.jsonl', {
    onEvent() {
      throw cause;
    },
  });
  expect(() => reading.push(Buffer.from(line('a', 'one')))).toThrow(cause);
});
