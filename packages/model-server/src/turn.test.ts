import { apart, latestResults, type Message, modelTurns } from '@loopfuse/wire';
import { describe, expect, it } from 'vitest';
import { saw } from './turn.js';

const empty = { text: '', reasoning: '', calls: [], results: [] };
const system: Message = { ...empty, role: 'system', text: 'You loop.' };
const user: Message = { ...empty, role: 'user', text: 'please loop' };
const model: Message = { ...empty, role: 'assistant', text: 'I loop' };
const result = (text: string): Message => ({ ...empty, role: 'tool', results: [{ id: '1', tool: 't', text }] });

describe('a turn', () => {
  it('keeps the system prompt apart from later system messages', () => {
    expect(apart([system, user, system], 'Be brief.')).toEqual({
      system: 'Be brief.\nYou loop.',
      messages: [user, system],
    });
    expect(apart([system])).toEqual({ system: 'You loop.', messages: [] });
  });

  it('counts the answers of the model, not its messages', () => {
    expect(modelTurns([user, model, model, result('x'), model])).toBe(2);
  });

  it('has only the results that came since the last answer of the model', () => {
    expect(
      latestResults([user, model, result('old'), model, result('a'), result('b')]).map(({ text }) => text),
    ).toEqual(['a', 'b']);
  });

  it('saw what came after its first answer, in a message or in a result', () => {
    expect(saw({ messages: [user] }, 'loop')).toBe(false);
    expect(saw({ messages: [user, model] }, 'loop')).toBe(false);
    expect(saw({ messages: [user, model, result('fine')] }, 'loop')).toBe(false);
    expect(saw({ messages: [user, model, result('you loop')] }, 'loop')).toBe(true);
    expect(saw({ messages: [user, model, result('fine'), system] }, /LOOP/i)).toBe(true);
  });

  it('is not confused by a regular expression with a state', () => {
    const marker = /loop/g;
    const warned = { messages: [user, model, user] };
    expect([saw(warned, marker), saw(warned, marker)]).toEqual([true, true]);
  });
});
