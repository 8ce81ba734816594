import fc from 'fast-check';
import type { AssistantPart, Message, ResultStatus } from '../history/message.js';

const words = fc.oneof(
  fc.string(),
  fc.constantFrom('', ' ', 'hello', '\ud800', 'a\ud83d\ude00b', '\0', 'x'.repeat(300)),
);
const ids = fc.constantFrom('call_1', 'call_2', 'call_3', 'call_4');
const tools = fc.constantFrom('read_file', 'run_shell_command', 'no_such_tool');
const status = fc.constantFrom<ResultStatus>('ok', 'failed', 'refused', 'blocked', 'cancelled', 'not-run');

const part: fc.Arbitrary<AssistantPart> = fc.oneof(
  fc.record({ type: fc.constant('text' as const), text: words }),
  fc.record({ type: fc.constant('reasoning' as const), text: words }),
  fc.record({
    type: fc.constant('tool-call' as const),
    id: ids,
    tool: tools,
    input: fc.dictionary(fc.string(), fc.oneof(fc.string(), fc.integer(), fc.constant(null)), { maxKeys: 3 }),
  }),
);

const message: fc.Arbitrary<Message> = fc.oneof(
  fc.record({
    role: fc.constant('user' as const),
    text: words,
    from: fc.constantFrom('user', 'guard', 'summary', 'agent', 'face'),
  }),
  fc.record({ role: fc.constant('assistant' as const), parts: fc.array(part, { maxLength: 4 }) }),
  fc.record({
    role: fc.constant('tool' as const),
    results: fc.array(fc.record({ id: ids, tool: tools, output: words, status }), { maxLength: 3 }),
  }),
);

/** Histories of every shape, most of them broken: calls without results, results without calls, ids used twice. */
export const anyHistory: fc.Arbitrary<Message[]> = fc.array(message, { maxLength: 12 });
