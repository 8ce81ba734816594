import type { TextStreamPart, ToolSet } from 'ai';
import { describe, expect, test } from 'vitest';
import { addPart, cutFrom, finishDraft, markDelta, startDraft } from './draft.js';

type Part = TextStreamPart<ToolSet>;
const call = (toolCallId: string, input: unknown = {}, more: object = {}) =>
  ({ type: 'tool-call', toolCallId, toolName: 'ls', input, ...more }) as unknown as Part;
const said = (text: string, id = 't'): Part[] => [
  { type: 'text-start', id },
  { type: 'text-delta', id, text },
  { type: 'text-end', id, providerMetadata: { openai: { itemId: 'msg_1' } } },
];
const thought = (text: string, id = 'r'): Part[] => [
  { type: 'reasoning-start', id },
  { type: 'reasoning-delta', id, text },
  { type: 'reasoning-end', id, providerMetadata: { anthropic: { signature: 'sig' } } },
];

function drafted(parts: readonly Part[], used: string[] = []) {
  const draft = startDraft(used);
  const pieces = parts.flatMap((part) => addPart(draft, part) ?? []);
  return { draft, pieces };
}

describe('a draft', () => {
  test('keeps what the provider wants back with each part', () => {
    const { draft } = drafted([
      ...thought('hm'),
      ...said('hello'),
      call('a', { x: 1 }, { providerMetadata: { google: { thoughtSignature: 's' } } }),
    ]);
    expect(finishDraft(draft, 'whole')).toEqual({
      role: 'assistant',
      parts: [
        { type: 'reasoning', text: 'hm', metadata: { anthropic: { signature: 'sig' } } },
        { type: 'text', text: 'hello', metadata: { openai: { itemId: 'msg_1' } } },
        { type: 'tool-call', id: 'a', tool: 'ls', input: { x: 1 }, metadata: { google: { thoughtSignature: 's' } } },
      ],
    });
  });

  test('that was interrupted keeps thoughts only where a call follows, and no ids of texts', () => {
    const { draft } = drafted([...thought('first'), call('a'), ...thought('second', 'r2'), ...said('half')]);
    expect(finishDraft(draft, 'interrupted')).toEqual({
      role: 'assistant',
      interrupted: true,
      parts: [
        { type: 'reasoning', text: 'first', metadata: { anthropic: { signature: 'sig' } } },
        { type: 'tool-call', id: 'a', tool: 'ls', input: {} },
        { type: 'text', text: 'half' },
      ],
    });
  });

  test('that was interrupted drops an unfinished thought', () => {
    const { draft } = drafted([...thought('whole').slice(0, 2), call('a')]);
    expect(finishDraft(draft, 'interrupted')?.parts).toEqual([{ type: 'tool-call', id: 'a', tool: 'ls', input: {} }]);
  });

  test('with only thoughts is not a message', () => {
    expect(finishDraft(drafted(thought('hm')).draft, 'whole')).toBeUndefined();
    expect(finishDraft(startDraft([]), 'interrupted')).toBeUndefined();
  });

  test('makes calls that every provider accepts in a history', () => {
    const { pieces } = drafted(
      [
        call('used'),
        call('used'),
        call('strange id!'),
        { type: 'tool-call', toolCallId: 'b', toolName: 'functions.read file', input: {} } as unknown as Part,
        { type: 'tool-call', toolCallId: 'c', toolName: '1', input: {} } as unknown as Part,
        call('d', '{"cut', { invalid: true, dynamic: true }),
      ],
      ['used'],
    );
    const made = pieces.flatMap((piece) => (piece.type === 'tool-call' ? [piece] : []));
    expect(new Set(made.map(({ call: { id } }) => id)).size).toBe(6);
    expect(made.every(({ call: { id } }) => /^[\w-]+$/.test(id) && id !== 'used')).toBe(true);
    expect(made.map(({ call: { tool } }) => tool)).toEqual(['ls', 'ls', 'ls', 'functions_read_file', 'tool_1', 'ls']);
    expect(made.at(-1)).toMatchObject({
      call: { input: { input: '{"cut' } },
      problem: 'The arguments are not a JSON object.',
    });
  });

  test('can be cut where the repeating began', () => {
    const draft = startDraft([]);
    addPart(draft, { type: 'text-start', id: 't' });
    for (const [seq, text] of ['A. ', 'B. ', 'A. ', 'B. '].entries()) {
      addPart(draft, { type: 'text-delta', id: 't', text });
      markDelta(draft, 10 + seq, text);
    }
    const partsFrom = (onset: number) => finishDraft(cutFrom(draft, onset), 'interrupted')?.parts;
    expect(partsFrom(12)).toEqual([{ type: 'text', text: 'A. B.  […]' }]);
    expect(partsFrom(99)).toEqual([{ type: 'text', text: 'A. B. A. B. ' }]);
    expect(partsFrom(0)).toBeUndefined();
  });
});
