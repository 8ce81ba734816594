import fc from 'fast-check';
import { eventProblem } from 'loopfuse';
import { describe, expect, test } from 'vitest';
import { readStreamEvent } from './stream-event.js';

describe('readStreamEvent', () => {
  test.each<[object, object]>([
    [
      { type: 'content', value: 'Hello' },
      { type: 'text', text: 'Hello' },
    ],
    [
      { type: 'thought', value: 'Hm' },
      { type: 'reasoning', text: 'Hm' },
    ],
    [
      { type: 'thought', value: { subject: 'Plan', description: 'Look.' } },
      { type: 'reasoning', text: 'Plan\nLook.' },
    ],
    [
      { type: 'tool_call_request', value: { name: 'ls', args: { path: '.' } } },
      { type: 'tool-call', id: 'call-7', tool: 'ls', input: { path: '.' } },
    ],
    [
      { type: 'tool_call_request', value: { callId: 'c', name: 'ls', args: {} } },
      { type: 'tool-call', id: 'c', tool: 'ls', input: {} },
    ],
    [
      { type: 'tool_call_response', value: { callId: 'c', responseParts: ['a'], error: undefined } },
      { type: 'tool-result', id: 'c', output: ['a'], failed: false },
    ],
    [
      { type: 'tool_call_response', value: { callId: 'c', error: new Error('no') } },
      { type: 'tool-result', id: 'c', output: 'no', failed: true },
    ],
    [
      { type: 'tool_call_response', value: { callId: 'c' } },
      { type: 'tool-result', id: 'c', output: null, failed: false },
    ],
    [{ type: 'finished', value: 'STOP' }, { type: 'turn-end' }],
    [{ type: 'retry' }, { type: 'retry' }],
    [{ type: 'chat_compressed', value: null }, { type: 'compaction' }],
  ])('reads %j as %j', (given, expected) => {
    expect(readStreamEvent(given, 7)).toEqual(expected);
  });

  test.each([{ type: 'citation', value: 'a source' }, { type: 'user_cancelled' }, { type: 'tool_call_response' }])(
    'ignores %j',
    (given) => {
      expect(readStreamEvent(given, 7)).toBe('ignored');
    },
  );

  test.each<[unknown]>([
    [undefined],
    [null],
    [7],
    ['content'],
    [{}],
    [{ type: 7 }],
    [{ type: 'content' }],
    [{ type: 'content', value: 7 }],
    [{ type: 'tool_call_request' }],
    [{ type: 'tool_call_request', value: { args: {} } }],
  ])('cannot read %j, and says why', (given) => {
    expect(readStreamEvent(given, 7)).toEqual({ problem: expect.stringMatching(/must (be|have)/) });
  });

  test('whatever comes, gives an event that the engine takes, nothing, or a problem', () => {
    const type = fc.constantFrom(
      'content',
      'thought',
      'tool_call_request',
      'tool_call_response',
      'finished',
      'retry',
      'x',
    );
    const event = fc.oneof(fc.anything(), fc.record({ type, value: fc.anything() }));
    fc.assert(
      fc.property(event, (given) => {
        const reading = readStreamEvent(given, 1);
        if (typeof reading === 'object' && 'type' in reading) expect(eventProblem(reading)).toBeUndefined();
        else expect(reading === 'ignored' || typeof reading.problem === 'string').toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});
