import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { ToolCall, ToolResult } from '../history/message.js';
import { freshFolder, put } from '../testing/folders.js';
import { defineTool, type Tool, type ToolEffect } from '../tools/tool.js';
import { standardTools } from '../tools/tools.js';
import { createWorkspace } from '../workspace/workspace.js';
import { type ApprovalMode, type ApprovalReply, type ApprovalRequest, createApprovals } from './approval.js';
import { batches, createScheduler, type SchedulerEvent } from './scheduler.js';

const call = (id: string, tool: string, input: ToolCall['input'] = {}): ToolCall => ({ id, tool, input });

interface Setting {
  readonly mode?: ApprovalMode;
  readonly answer?: ApprovalReply;
  readonly tools?: readonly Tool[];
}

function scheduling({ mode = 'ask', answer, tools = standardTools() }: Setting = {}) {
  const root = freshFolder();
  const asked: ApprovalRequest[] = [];
  const approvals = createApprovals(
    mode,
    answer === undefined
      ? undefined
      : async (request) => {
          asked.push(request);
          return answer;
        },
  );
  const scheduler = createScheduler({ tools, workspace: createWorkspace(root), approvals });
  async function run(calls: readonly ToolCall[], signal = new AbortController().signal) {
    const events: SchedulerEvent[] = [];
    for await (const event of scheduler.run(calls, signal)) events.push(event);
    const results = events.flatMap((event): ToolResult[] => (event.type === 'result' ? [event.result] : []));
    return { events, results, statuses: results.map(({ status }) => status) };
  }
  return { root, asked, approvals, scheduler, run };
}

test.each([
  [999, undefined],
  [1000, 1000],
  [61_500.4, 61_500],
])('a call that ran %i ms says %s', async (took, milliseconds) => {
  let clock = 0;
  const slow = defineTool({
    name: 'slow',
    description: 'slow',
    schema: z.object({}),
    effect: 'read',
    title: () => 'slow',
    async run() {
      clock += took;
      return { output: 'done' };
    },
  });
  const workspace = createWorkspace(freshFolder());
  const approvals = createApprovals('yolo', undefined);
  const scheduler = createScheduler({ tools: [slow], workspace, approvals, now: () => clock });
  const events: SchedulerEvent[] = [];
  for await (const event of scheduler.run([call('1', 'slow')], new AbortController().signal)) events.push(event);
  expect(events).toEqual([
    {
      type: 'result',
      result: { id: '1', tool: 'slow', output: 'done', status: 'ok', ...(milliseconds && { milliseconds }) },
    },
  ]);
});

/** A tool that notes when it begins and ends. */
function noting(name: string, effect: ToolEffect, notes: string[], milliseconds = 5): Tool {
  return defineTool({
    name,
    description: name,
    schema: z.object({ n: z.number() }),
    effect,
    title: () => name,
    async run({ n }) {
      notes.push(`+${name}${n}`);
      await new Promise((resolve) => setTimeout(resolve, milliseconds));
      notes.push(`-${name}${n}`);
      return { output: `${name}${n}` };
    },
  });
}

describe('arguments', () => {
  test('that do not match the schema are reported to the model, and nothing is run', async () => {
    const { run } = scheduling({ mode: 'yolo' });
    const { results } = await run([
      call('a', 'read_file', { path: 5 }),
      call('b', 'no_such_tool'),
      call('c', 'write_file', { path: 'x' }),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['failed', 'failed', 'failed']);
    expect(results[0]?.output).toMatch(/arguments of read_file are wrong\. path: .*string/);
    expect(results[1]?.output).toMatch(/no tool no_such_tool\. The tools are: read_file, /);
    expect(results[2]?.output).toMatch(/content: /);
  });
});

describe('the order of calls', () => {
  test('consecutive reads run in parallel, writes alone and in order', async () => {
    const notes: string[] = [];
    const tools = [noting('read', 'read', notes), noting('write', 'edit', notes)];
    const { run } = scheduling({ mode: 'yolo', tools });
    await run([
      call('1', 'read', { n: 1 }),
      call('2', 'read', { n: 2 }),
      call('3', 'write', { n: 3 }),
      call('4', 'write', { n: 4 }),
      call('5', 'read', { n: 5 }),
    ]);
    expect(notes.slice(0, 2)).toEqual(['+read1', '+read2']);
    expect(notes.slice(4)).toEqual(['+write3', '-write3', '+write4', '-write4', '+read5', '-read5']);
  });

  test('results come in the order of the calls, one for each', async () => {
    const quick = noting('quick', 'read', [], 0);
    const slow = noting('slow', 'read', [], 20);
    const { run } = scheduling({ tools: [quick, slow] });
    const { results } = await run([call('a', 'slow', { n: 1 }), call('b', 'quick', { n: 2 })]);
    expect(results.map(({ id }) => id)).toEqual(['a', 'b']);
  });

  test('batches keep every call and the order', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('read', 'write')), (names) => {
        const calls = names.map((name, k) => call(String(k), name));
        const found = batches(calls, ({ tool }) => tool === 'read');
        expect(found.flat()).toEqual(calls);
        for (const batch of found) expect(batch.length === 1 || batch.every(({ tool }) => tool === 'read')).toBe(true);
      }),
    );
  });

  test('output is streamed before the result', async () => {
    const { run } = scheduling({ mode: 'yolo' });
    const { events } = await run([call('a', 'run_shell_command', { command: 'echo hello' })]);
    expect(events).toEqual([
      { type: 'output', id: 'a', text: 'hello\n' },
      { type: 'result', result: { id: 'a', tool: 'run_shell_command', output: 'hello', status: 'ok' } },
    ]);
  });
});

describe('approval', () => {
  const edit = (path = 'a.txt') => call('e', 'write_file', { path, content: 'new\n' });
  const shell = (command = 'echo x') => call('s', 'run_shell_command', { command });
  const read = call('r', 'ls');

  test.each<[ApprovalMode, number]>([
    ['ask', 2],
    ['auto-edit', 1],
    ['yolo', 0],
  ])('in mode %s a person is asked %i times about a read, an edit and a command', async (mode, times) => {
    const { run, asked } = scheduling({ mode, answer: 'once' });
    expect((await run([read, edit(), shell()])).statuses).toEqual(['ok', 'ok', 'ok']);
    expect(asked.length).toBe(times);
  });

  test('the user sees a change before it is made', async () => {
    const { run, asked, root } = scheduling({ answer: 'no' });
    put(root, { 'a.txt': 'old\n' });
    const { results } = await run([edit(), shell('rm a.txt')]);
    expect(asked.map(({ display }) => display)).toMatchObject([
      { type: 'diff', patch: expect.stringContaining('-old\n+new') },
      { type: 'command', command: 'rm a.txt', folder: root },
    ]);
    expect(results.map(({ status }) => status)).toEqual(['refused', 'refused']);
    expect(results[0]?.output).toMatch(/declined by the user/);
    expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('old\n');
  });

  test('a refusal can say what to do instead, which the model reads', async () => {
    const { run } = scheduling({ answer: { instead: ' Use pnpm.\nNot npm. ' } });
    const [result] = (await run([shell('npm install')])).results;
    expect(result).toMatchObject({ status: 'refused', instead: 'Use pnpm.\nNot npm.' });
    expect(result?.output).toMatch(/declined by the user[\s\S]*instead:\nUse pnpm\.\nNot npm\.$/);
    const blank = (await scheduling({ answer: { instead: ' ' } }).run([shell()])).results[0];
    expect(blank).not.toHaveProperty('instead');
    expect(blank?.output).toMatch(/ask what to do instead/);
  });

  test('an edit that cannot succeed is not asked about', async () => {
    const { run, asked } = scheduling({ answer: 'once' });
    const { statuses } = await run([call('e', 'replace', { path: 'a.txt', old_string: 'x', new_string: 'y' })]);
    expect([statuses, asked]).toEqual([['failed'], []]);
  });

  test('"always" covers the same programs later, and nothing else', async () => {
    const { run, asked } = scheduling({ answer: 'always' });
    await run([
      shell('echo 1'),
      shell('echo 2'),
      shell('echo 3 && true'),
      shell('echo 4; true'),
      shell('echo $(true)'),
    ]);
    expect(asked.map(({ covers }) => covers)).toEqual([['echo'], ['echo', 'true'], ['echo $(true)']]);
  });

  const settings = [
    '.git/hooks/pre-commit',
    '.loopfuse/settings.json',
    '.GIT/hooks/x',
    '.vscode/settings.json',
    'shop.code-workspace',
    '.husky/pre-commit',
    '.envrc',
  ];

  test('edits of what could loosen the restrictions are asked about in auto-edit, and again after "always"', async () => {
    const { run, asked } = scheduling({ mode: 'auto-edit', answer: 'always' });
    await run([...settings.map(edit), edit('fine.txt')]);
    expect(asked.map(({ title }) => title)).toEqual(settings);
    await run(settings.map(edit));
    expect(asked.length).toBe(2 * settings.length);
    expect(asked.every(({ covers }) => covers.length === 0)).toBe(true);
  });

  test('after "always" for all edits, such an edit is still asked about', async () => {
    const { run, asked } = scheduling({ answer: 'always' });
    await run([edit('a.txt'), edit('b.txt'), edit('.vscode/settings.json')]);
    expect(asked.map(({ title }) => title)).toEqual(['a.txt', '.vscode/settings.json']);
  });

  test.each([
    ['git status', 'git -c alias.x="!touch ran" x'],
    ['git push', 'git push --force'],
    ['git log', 'git log --output=ran'],
    ['cp a b', 'cp a .vscode/settings.json'],
  ])('"always" for %j does not let %j run', async (seen, hidden) => {
    const { run, asked } = scheduling({ answer: 'always' });
    await run([shell(seen), shell(seen), shell(hidden)]);
    expect(asked.map(({ title }) => title)).toEqual([seen, hidden]);
  });

  test('without a way to ask, what needs approval is declined', async () => {
    const { run } = scheduling();
    const { results } = await run([read, edit()]);
    expect(results.map(({ status }) => status)).toEqual(['ok', 'refused']);
    expect(results[1]?.output).toMatch(/nobody is here/);
  });

  test('an approval that fails is a failed call', async () => {
    const { root } = scheduling();
    const approvals = createApprovals('ask', () => Promise.reject(new Error('the dialog broke')));
    const scheduler = createScheduler({ tools: standardTools(), workspace: createWorkspace(root), approvals });
    const results = [];
    for await (const event of scheduler.run([edit()], new AbortController().signal)) results.push(event);
    expect(results).toMatchObject([{ result: { status: 'failed', output: 'the dialog broke' } }]);
  });
});

describe('cancelling', () => {
  test('ends the call that runs, and the others are not run', async () => {
    const { scheduler } = scheduling({ mode: 'yolo' });
    const controller = new AbortController();
    const results: ToolResult[] = [];
    const calls = [
      call('a', 'run_shell_command', { command: 'echo begun; sleep 1000' }),
      call('b', 'run_shell_command', { command: 'echo never' }),
    ];
    for await (const event of scheduler.run(calls, controller.signal)) {
      if (event.type === 'output') controller.abort();
      else results.push(event.result);
    }
    expect(results).toMatchObject([
      { id: 'a', status: 'cancelled', output: 'begun\nCancelled by the user.' },
      { id: 'b', status: 'not-run' },
    ]);
  });

  test('does not wait for the answer of the user', async () => {
    const controller = new AbortController();
    const approvals = createApprovals('ask', () => {
      controller.abort();
      return new Promise(() => {});
    });
    const scheduler = createScheduler({ tools: standardTools(), workspace: createWorkspace(freshFolder()), approvals });
    const events = [];
    for await (const event of scheduler.run([call('a', 'run_shell_command', { command: 'x' })], controller.signal))
      events.push(event);
    expect(events).toMatchObject([{ result: { status: 'not-run' } }]);
  });

  test('while the user is being asked does not count as declined', async () => {
    const controller = new AbortController();
    const approvals = createApprovals('ask', async () => {
      controller.abort();
      return 'withdrawn';
    });
    const scheduler = createScheduler({ tools: standardTools(), workspace: createWorkspace(freshFolder()), approvals });
    const events = [];
    for await (const event of scheduler.run([call('a', 'run_shell_command', { command: 'x' })], controller.signal))
      events.push(event);
    expect(events).toMatchObject([{ result: { status: 'not-run', output: expect.not.stringMatching(/declined/) } }]);
  });

  test('does not wait for a tool that ignores the signal', async () => {
    const controller = new AbortController();
    const deaf = defineTool({
      name: 'deaf',
      description: '',
      schema: z.object({}),
      effect: 'read',
      title: () => '',
      run: () => {
        controller.abort();
        return new Promise(() => {});
      },
    });
    const { run } = scheduling({ tools: [deaf] });
    expect((await run([call('a', 'deaf')], controller.signal)).statuses).toEqual(['cancelled']);
  });
});
