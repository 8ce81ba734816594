import fc from 'fast-check';
import type { Json } from 'loopfuse';
import { describe, expect, test } from 'vitest';
import { claudeCode } from '../claude-code/index.js';
import { codex } from '../codex/index.js';
import type { Format, LinesFormat } from '../format.js';
import { lastPlainMembers, typeOn } from '../records/line-bytes.js';
import { fixturesIn } from '../testing/fixtures.js';
import { readAll, readBytes } from '../testing/read-fixture.js';

/** The same format without a look at the bytes: every line is parsed. */
function withoutGlance(format: LinesFormat): Format {
  return {
    ...format,
    translate(recorder) {
      const translator = format.translate(recorder);
      return { record: (value, key) => translator.record(value, key), end: () => translator.end() };
    },
  };
}

const uuid = fc.uuid();
const json = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Json>;
const time = fc.nat(1e9).map((at) => new Date(1.7e12 + at).toISOString());

/** Members in any order, as a line; what is undefined is not there. */
function lineOf(members: { readonly [key: string]: fc.Arbitrary<Json | undefined> }): fc.Arbitrary<string> {
  const keys = Object.keys(members);
  return fc
    .tuple(fc.record(members), fc.shuffledSubarray(keys, { minLength: keys.length }))
    .map(([values, order]) => JSON.stringify(Object.fromEntries(order.map((key) => [key, values[key]]))));
}

const filling = fc.constant('x'.repeat(300));
const claudeLine = lineOf({
  type: fc.constantFrom('user', 'user', 'assistant', 'progress', 'system', 'attachment'),
  parentUuid: fc.option(uuid),
  isSidechain: fc.boolean(),
  agentId: fc.constantFrom(undefined, 'a1', 'a2'),
  sessionId: fc.constant('session'),
  uuid,
  timestamp: time,
  version: filling,
  message: fc.oneof(
    json,
    fc.record({
      role: fc.constant('user'),
      content: fc.array(
        fc.oneof(
          json,
          fc.record({ type: fc.constant('tool_result'), tool_use_id: fc.constantFrom('t1', 't2'), content: json }),
          fc.record({ type: fc.constant('tool_use'), id: fc.constantFrom('t1', 't2'), name: uuid, input: json }),
          fc.constant({ type: 'text', text: 'Say ,"toolUseResult":{ to me' }),
          fc.constant({ type: 'tool_use', id: 't3', name: 'x', input: { a: 1, toolUseResult: { message: {} } } }),
        ),
      ),
    }),
  ),
  toolUseResult: fc.oneof(
    json,
    fc.constantFrom<Json | undefined>(undefined, 'plain', 'with "quotes" and \\', { a: { message: { b: 1 } } }, [[{}]]),
    fc.record({ b: fc.constant(1), message: json, agentId: uuid, toolUseResult: json }),
  ),
  permissionDecision: fc.option(json),
  sourceToolUseID: fc.constantFrom(undefined, 't1'),
});

const codexLine = lineOf({
  timestamp: time,
  type: fc.constantFrom('response_item', 'event_msg', 'compacted', 'turn_context', 'world_state', 'reasoning'),
  filling,
  payload: fc.oneof(
    json,
    fc.record({
      type: fc.constantFrom(
        'reasoning',
        'message',
        'exec_command_end',
        'item_completed',
        'function_call',
        'token_count',
      ),
      call_id: fc.constantFrom('c1', 'c2'),
      name: fc.constant('shell'),
      arguments: fc.constant('{}'),
      aggregated_output: fc.string(),
      summary: fc.constant([{ text: 'so "encrypted_content":"' }]),
      encrypted_content: fc.constantFrom('', 'gAAA'.repeat(200), `${'y'.repeat(600)}"`),
      replacement_history: json,
    }),
  ),
});

describe.each([
  [
    'Claude Code',
    claudeCode,
    claudeLine,
    '{"type":"user","uuid":"u","sessionId":"session","message":{"content":"Go"}}',
  ],
  ['Codex', codex, codexLine, '{"timestamp":"2026-01-01T00:00:00.000Z","type":"session_meta","payload":{"id":"s"}}'],
] as const)('a glance at the lines of %s', (_name, format, line, first) => {
  test.each(fixturesIn(format.name))('changes nothing of %s', async (file) => {
    expect(await readAll(file, {}, [format])).toEqual(await readAll(file, {}, [withoutGlance(format)]));
  });

  test('changes nothing of any lines, whatever the order of their members', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 6 }), async (lines) => {
        const bytes = [Buffer.from(`${[first, ...lines].join('\n')}\n`)];
        const glanced = await readBytes(bytes, { from: [format] });
        expect(glanced).toEqual(await readBytes(bytes, { from: [withoutGlance(format)] }));
      }),
      { numRuns: 300 },
    );
  });

  test('never throws, whatever the bytes, and nor does what follows', async () => {
    const bytes = fc.uint8Array({ minLength: 200, maxLength: 400 }).map((one) => Buffer.from(one));
    const spoilt = fc.tuple(line, fc.nat(), fc.nat()).map(([text, at, to]) => {
      const [from, until] = [at % text.length, to % text.length].sort((a, b) => a - b) as [number, number];
      return Buffer.from(`${text.slice(0, from)}${text.slice(until)}`);
    });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(bytes, spoilt), { maxLength: 4 }), async (lines) => {
        const newline = Buffer.from('\n');
        await readBytes([Buffer.from(first), ...lines.flatMap((one) => [newline, one])], { from: [format] });
      }),
      { numRuns: 200 },
    );
  });
});

test('the type of a line is that of the line itself, not of something in it', () => {
  const typeIn = (text: string) => typeOn(Buffer.from(text))?.type;
  expect(typeIn('{"a":"\\"type\\":\\"x\\"","type":"user"}')).toBe('user');
  expect(typeIn('{"message":{"type":"message"},"type":"user"}')).toBeUndefined();
  expect(typeIn('{"type":"us\\u0065r"}')).toBeUndefined();
  expect(typeIn('["type":"user"]')).toBeUndefined();
});

test('the last plain members of an object begin behind its last list or object', () => {
  const rest = (text: string, first = 0) => {
    const at = lastPlainMembers(Buffer.from(text), first);
    return at === undefined ? undefined : text.slice(at);
  };
  expect(rest('{"a":{"b":1},"c":"x","d":true}')).toBe(',"c":"x","d":true}');
  expect(rest('{"a":[1],"c":-1.5e3}')).toBe(',"c":-1.5e3}');
  expect(rest('{"z":1,"a":"x y","c":null}', 6)).toBe(',"c":null}');
  expect(rest('{"a":{},"c":"x\\"y"}')).toBeUndefined();
});
