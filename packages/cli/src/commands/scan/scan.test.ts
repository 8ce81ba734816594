import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as zlib from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { bin, type RunOptions, run, runLoopfuse as runPlainly } from '../../../testing/run-loopfuse.js';

const folder = mkdtempSync(join(tmpdir(), 'loopfuse-scan-'));
afterAll(() => rmSync(folder, { recursive: true }));
const cache = { XDG_CACHE_HOME: join(folder, 'cache') };
const fixtures = fileURLToPath(new URL('fixtures/', import.meta.url));
const reportPage = new URL('../../../../dashboard/dist/page.html', import.meta.url);

function runLoopfuse(args: readonly string[], options: RunOptions = {}) {
  return runPlainly(args, { ...options, env: { ...cache, ...options.env } });
}

function file(name: string, content: string | Buffer): string {
  mkdirSync(join(folder, name, '..'), { recursive: true });
  writeFileSync(join(folder, name), content);
  return join(folder, name);
}

/** A trace whose sessions make `rounds` equal calls each. */
function trace(sessions: number, rounds: number, name = 'session'): string {
  const lines: object[] = [];
  for (let k = 0; k < sessions; k++) {
    lines.push({ loopfuse: 1, session: `${name}-${k}`, agent: 'toy' }, { type: 'prompt', text: 'Go on.' });
    for (let round = 0; round < rounds; round++) {
      const id = `c${round}`;
      lines.push({ type: 'tool-call', id, tool: 'read_file', input: { path: 'src/main.ts' } });
      lines.push({ type: 'tool-result', id, output: 'Error: there is no file src/main.ts', failed: true });
    }
  }
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

function sessionsIn(stdout: string): Record<string, unknown>[] {
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

const looping = file('looping.jsonl', trace(1, 12, 'looping'));
const clean = file('clean.jsonl', trace(1, 1, 'clean'));

test.each([
  ['mixed', ['--suspects'], {}],
  ['mixed-ascii-60', [], { LC_ALL: 'C', COLUMNS: '60' }],
  ['mixed-json', ['--json'], {}],
])('the table and the lines are what they were: %s', async (name, args, env) => {
  const { code, stdout, stderr } = await runLoopfuse(['scan', ...args, 'mixed.jsonl'], { cwd: fixtures, env });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f]/);
  await expect(stdout).toMatchFileSnapshot(`golden/${name}.txt`);
});

test('--json has one object a line for every session, clean ones too, in a fixed shape', async () => {
  const { stdout } = await runLoopfuse(['scan', '--json', looping, clean]);
  const [first, second, ...more] = sessionsIn(stdout);
  expect(more).toEqual([]);
  const used = { calls: 1, characters: 0, tokens: 0 };
  expect(second).toEqual({ session: 'clean-0', file: clean, agent: 'toy', events: 3, calls: 1, findings: [], used });
  expect(first).toMatchObject({ session: 'looping-0', events: 25, calls: 12 });
  const findings = first?.findings as Record<string, unknown>[];
  expect(findings.some(({ status }) => status === 'looping')).toBe(true);
  const waste = { calls: expect.any(Number), characters: expect.any(Number), tokens: expect.any(Number) };
  for (const finding of findings) {
    expect(finding).toEqual({
      detector: expect.stringMatching(/^[a-z-]+$/),
      kind: expect.stringMatching(/^[a-z-]+$/),
      status: expect.stringMatching(/^(suspect|looping)$/),
      seq: expect.any(Number),
      onset: expect.any(Number),
      confidence: expect.any(Number),
      message: expect.stringMatching(/read_file/),
      waste,
      until: expect.any(Number),
      wasteUntil: waste,
      rounds: expect.any(Number),
      tools: ['read_file'],
    });
    expect(finding.onset).toBeLessThanOrEqual(finding.seq as number);
    expect(finding.seq).toBeLessThanOrEqual(finding.until as number);
  }
  expect(findings.at(-1)).toMatchObject({ until: 24, wasteUntil: { calls: 11 } });
});

test.each([
  ['gemini-cli', 5],
  ['qwen-code', 5],
  ['deepv-code', 10],
])('--preset %s sees the loop at call %i', async (preset, call) => {
  const { stdout } = await runLoopfuse(['scan', '--json', '--preset', preset, looping]);
  const [{ findings } = {}] = sessionsIn(stdout);
  expect(findings).toMatchObject([{ status: 'looping', kind: 'repeated-calls', seq: 2 * call - 1 }]);
});

test('deepv-code is stricter with preview models, which the session names', async () => {
  const preview = file('preview.jsonl', trace(1, 12).replace('"agent"', '"model":"some-preview-model","agent"'));
  const { stdout } = await runLoopfuse(['scan', '--json', '--preset', 'deepv-code', preview]);
  expect(sessionsIn(stdout)).toMatchObject([{ model: 'some-preview-model', findings: [{ seq: 7 }] }]);
});

test('--fail-on-loop ends with 3 when something loops and with 0 otherwise', async () => {
  const codes = await Promise.all(
    [
      ['--fail-on-loop', looping],
      ['--fail-on-loop', '--json', clean, looping],
      ['--fail-on-loop', clean],
      [looping],
    ].map(async (args) => (await runLoopfuse(['scan', ...args])).code),
  );
  expect(codes).toEqual([3, 3, 0, 0]);
});

test('broken lines are reported with file and line, and the rest is read', async () => {
  const lines = trace(1, 12, 'hurt').split('\n');
  lines.splice(3, 0, '{"type":"tool-call", oops', '{"type":"nonsense"}', '[1,2,3]', '');
  const path = file('hurt.jsonl', lines.join('\n'));
  const { code, stdout, stderr } = await runLoopfuse(['scan', '--json', path]);
  expect(code).toBe(0);
  for (const line of [4, 5, 6]) expect(stderr).toContain(`${path}:${line}: `);
  expect(stderr).toContain('nonsense');
  expect(stderr.trim().split('\n')).toHaveLength(3);
  expect(sessionsIn(stdout)).toMatchObject([{ session: 'hurt-0', events: 25, calls: 12 }]);
});

test('a thousand broken lines do not bury the rest: twenty are reported, the others counted', async () => {
  const path = file('wreck.jsonl', trace(1, 2, 'wreck') + '{"type":\n'.repeat(1000));
  const { stdout, stderr } = await runLoopfuse(['scan', path]);
  expect(stderr.trim().split('\n')).toHaveLength(21);
  expect(stderr).toContain('and 980 more');
  expect(stdout).toContain('No loops in 1 session.');
});

test('a line beyond all measure is skipped, and the rest is read', async () => {
  const [head, ...rest] = trace(1, 12, 'huge').split('\n');
  const huge = `{"type":"text","text":"${'x'.repeat(65 * 1024 * 1024)}"}`;
  const path = file('huge.jsonl', [head, huge, ...rest].join('\n'));
  const { code, stdout, stderr } = await runLoopfuse(['scan', '--json', path]);
  expect(code).toBe(0);
  expect(stderr).toMatch(/huge\.jsonl:2: .*skipped/);
  expect(sessionsIn(stdout)).toMatchObject([{ events: 25 }]);
});

test('gzipped traces are read, whatever they are called, and cut ones as far as they go', async () => {
  const packed = zlib.gzipSync(trace(40, 12, 'packed'), { level: 0 });
  const whole = file('packed.bin', packed);
  const half = file('half.jsonl.gz', packed.subarray(0, packed.length >> 1));
  const { code, stdout, stderr } = await runLoopfuse(['scan', '--json', whole, half]);
  expect(code).toBe(0);
  const sessions = sessionsIn(stdout);
  expect(sessions.filter((session) => session.file === whole)).toHaveLength(40);
  expect(sessions.filter((session) => session.file === half).length).toBeGreaterThan(15);
  expect(stderr).toContain('half.jsonl.gz: ');
});

test('folders are read with what is in them, but links in them are not followed and strangers are skipped', async () => {
  file('tree/a.jsonl', trace(1, 1, 'a'));
  file('tree/deep/er/b.jsonl', trace(1, 12, 'b'));
  file('tree/.hidden/c.jsonl', trace(1, 1, 'c'));
  file('tree/node_modules/x/d.jsonl', trace(1, 12, 'd'));
  file('tree/readme.md', '# not a session\n');
  file('tree/picture.png', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 3]));
  file('tree/empty.jsonl', '');
  symlinkSync(folder, join(folder, 'tree/up'));
  symlinkSync(looping, join(folder, 'tree/out.jsonl'));
  const { code, stdout, stderr } = await runLoopfuse([
    'scan',
    '--json',
    join(folder, 'tree'),
    join(folder, 'tree/a.jsonl'),
  ]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(sessionsIn(stdout).map(({ session }) => session)).toEqual(['c-0', 'a-0', 'b-0']);
});

test('files that hold no session are told of when they were named, and the message says what would be read', async () => {
  const readme = file('readme.md', '# nothing\n');
  const { code, stdout, stderr } = await runLoopfuse(['scan', readme]);
  expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
  expect(stderr).toContain(`${readme}: it is not a session log`);
  expect(stderr).toMatch(/No sessions: 1 file looked at, none of a known format\. Known are trace, /);
  const [, names = ''] = /\((.*)\)/.exec(stderr) ?? [];
  expect(new Set(names.split(', ')).size).toBe(names.split(', ').length);
});

test.skipIf(process.getuid?.() === 0 && 'createZstdDecompress' in zlib)(
  'files that cannot be read are not said to be of no known format',
  async () => {
    // An older Node cannot unpack the first; who is not root may not open the second.
    file('locked/rollout.jsonl.zst', Buffer.from('28b52ffd00380100007b', 'hex'));
    chmodSync(file('locked/other.jsonl', trace(1, 1, 'locked')), 0);
    if (process.getuid?.() === 0) rmSync(join(folder, 'locked/other.jsonl'));
    if ('createZstdDecompress' in zlib) rmSync(join(folder, 'locked/rollout.jsonl.zst'));
    const { code, stderr } = await runLoopfuse(['scan', join(folder, 'locked')]);
    expect(code).toBe(0);
    expect(stderr).toMatch(/it could not be read: /);
    expect(stderr).toMatch(/No sessions: (the file could not|none of 2 files could) be read\.\n$/);
  },
);

test('an empty folder has no sessions', async () => {
  mkdirSync(join(folder, 'nothing'));
  const { code, stdout, stderr } = await runLoopfuse(['scan', join(folder, 'nothing')]);
  expect({ code, stdout, stderr }).toEqual({
    code: 0,
    stdout: '',
    stderr: 'No sessions: there are no files in what was named.\n',
  });
});

test.each([['there-is-no-such-file'], ['looping.jsonl/inside-a-file'], ['a-pipe']])(
  'the path %s is wrong usage: it is named, and nothing is scanned',
  async (name) => {
    if (name === 'a-pipe') execFileSync('mkfifo', [join(folder, name)]);
    const { code, stdout, stderr } = await runLoopfuse(['scan', looping, name], { cwd: folder });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^error: .+\n$/);
    expect(stderr).toContain(JSON.stringify(name));
  },
);

test('a reader that goes away early ends the scan without a word', async () => {
  const path = file('many.jsonl', trace(1200, 1, 'many'));
  const script = `"${process.execPath}" "${bin}" scan --json "${path}" | head -n 1; echo "\${PIPESTATUS[0]}"`;
  const { stdout, stderr } = await run('bash', ['-c', script], { env: cache });
  const [first, code] = stdout.split('\n');
  expect(JSON.parse(first!)).toMatchObject({ session: 'many-0' });
  expect({ code, stderr }).toEqual({ code: '0', stderr: '' });
});

test('Ctrl-C shows what is done so far and ends with 130', async () => {
  const long = file('long/0.jsonl', trace(500, 12, 'long'));
  for (let k = 1; k < 200; k++) linkSync(long, join(folder, `long/${k}.jsonl`));
  const { code, stdout, stderr } = await runLoopfuse(['scan', '--json', join(folder, 'long')], {
    onStart: (child) => child.stdout!.once('data', () => child.kill('SIGINT')),
  });
  expect({ code, stderr }).toEqual({
    code: 130,
    stderr: expect.stringMatching(/^Interrupted after \d+ of \d+ files; this is/),
  });
  expect(stdout.split('\n').length).toBeLessThan(100_000);
});

test('Ctrl-C works in the middle of a file, and every output says how much was read', async () => {
  // One document, read in one go: it takes far longer than this test may.
  const messages = Array.from({ length: 60_000 }, (_, k) => ({
    role: 'assistant',
    content: `step ${k} ${'word '.repeat(60)}`,
  }));
  const endless = file('endless.json', JSON.stringify(messages));
  const [html, sarif, summary] = ['half.html', 'half.sarif', 'half.md'].map((name) => join(folder, name)) as string[];
  const hasPage = existsSync(reportPage); // in a clone that was not built there is none
  const outputs = [...(hasPage ? ['--html', html!] : []), '--sarif', sarif!, '--summary', summary!];
  const { code, stderr } = await runLoopfuse(['scan', '--json', ...outputs, looping, endless], {
    onStart: (child) => child.stdout!.once('data', () => child.kill('SIGINT')),
  });
  expect({ code, stderr }).toEqual({
    code: 130,
    stderr: expect.stringMatching(/^Interrupted after 1 of 2 files; this is/),
  });
  if (hasPage) expect(readFileSync(html!, 'utf8')).toContain('of 1 of 2 files: the scan was interrupted');
  expect(readFileSync(summary!, 'utf8')).toMatch(/1 loop in 1 session\n\nInterrupted after 1 of 2 files;/);
  const [{ invocations }] = JSON.parse(readFileSync(sarif!, 'utf8')).runs;
  expect(invocations).toMatchObject([{ executionSuccessful: false }]);
});

test('several threads tell the same in the same order as one, and so does the cache', async () => {
  for (let k = 0; k < 30; k++) file(`threads/${k}.jsonl`, trace(1 + (k % 3), 1 + (k % 7), `thread-${k}`));
  const scan = (...args: string[]) => runLoopfuse(['scan', '--json', ...args, join(folder, 'threads')]);
  const one = await scan('--no-cache', '--workers', '1');
  expect(sessionsIn(one.stdout)).toHaveLength(60);
  expect(await scan('--no-cache', '--workers', '3')).toEqual(one);
  expect(await scan('--workers', '2')).toEqual(one);
  expect(await scan()).toEqual(one);
});

test('what was read once is not read again until it changes, and --no-cache reads it in any case', async () => {
  const path = join(folder, 'cached.jsonl');
  const write = (rounds: number, name: string) => {
    writeFileSync(path, trace(1, rounds, name));
    utimesSync(path, 1_700_000_000, 1_700_000_000);
  };
  const scan = async (...args: string[]) => {
    const { stdout } = await runLoopfuse(['scan', '--json', ...args, path]);
    return sessionsIn(stdout).map(({ session, calls }) => [session, calls]);
  };
  write(2, 'before');
  expect(await scan()).toEqual([['before-0', 2]]);
  write(2, 'AFTER!'); // nothing but the words differs
  expect(await scan()).toEqual([['before-0', 2]]);
  expect(await scan('--preset', 'gemini-cli')).toEqual([['AFTER!-0', 2]]);
  expect(await scan('--no-cache')).toEqual([['AFTER!-0', 2]]);
  write(5, 'longer');
  expect(await scan()).toEqual([['longer-0', 5]]);
});

test('a log without the arguments of calls is said to be one', async () => {
  const blind = trace(1, 9, 'blind')
    .replaceAll('{"path":"src/main.ts"}', 'null')
    .replace(/.*tool-result.*\n/g, '');
  const path = file('blind.jsonl', blind);
  const { stdout } = await runLoopfuse(['scan', path]);
  expect(stdout).toContain('No loops in 1 session.\n1 session logged without the arguments of calls:');
  const [session] = sessionsIn((await runLoopfuse(['scan', '--json', path])).stdout);
  expect(session).toMatchObject({ calls: 9, withoutArguments: true, findings: [] });
});

test('copies of a session are reported, and counted once, the longest of them', async () => {
  const rounds = (count: number) => trace(1, count, 'copied');
  file('copies/a.jsonl', rounds(8));
  file('copies/b.jsonl', rounds(12));
  file('copies/c.jsonl', rounds(12));
  const { stdout } = await runLoopfuse(['scan', '--json', join(folder, 'copies')]);
  const [short, long, same] = ['a', 'b', 'c'].map((name) => join(folder, `copies/${name}.jsonl`));
  expect(sessionsIn(stdout).map(({ file, copyOf, replaces }) => ({ file, copyOf, replaces }))).toEqual([
    { file: short },
    { file: long, replaces: short },
    { file: same, copyOf: long },
  ]);
  const alone = await runLoopfuse(['scan', long!]);
  const together = await runLoopfuse(['scan', join(folder, 'copies')]);
  const sumOf = (text: string) => /1 of 1 session loops: .*/.exec(text)?.[0];
  expect(sumOf(alone.stdout)).toMatch(/11 calls/);
  expect(sumOf(together.stdout)).toBe(sumOf(alone.stdout));
  expect(together.stdout).toContain('2 copies of sessions found in other files; they are counted once.');
});

test.each([
  ['a folder of their own', 'claude', '0a1b2c3d-4e5f-4061-8071-2a3b4c5d6e7f/subagents/agent-a1.jsonl'],
  ['the same folder, as older versions do', 'older-claude', 'agent-a1.jsonl'],
])('a session of Claude Code counts once with its sub-agents, by lane: logs in %s', async (_, at, name) => {
  const id = '0a1b2c3d-4e5f-4061-8071-2a3b4c5d6e7f';
  const log = (agentId: string | undefined, rounds: number) =>
    Array.from({ length: rounds }, (_, k) => {
      const use = { type: 'tool_use', id: `${agentId}-${k}`, name: 'Grep', input: { pattern: 'x' } };
      const common = { sessionId: id, ...(agentId === undefined ? {} : { isSidechain: true, agentId }) };
      const result = { type: 'tool_result', tool_use_id: use.id, content: 'Error: no such folder', is_error: true };
      return [
        { ...common, uuid: `${agentId}-c${k}`, type: 'assistant', message: { id: `${agentId}-${k}`, content: [use] } },
        { ...common, uuid: `${agentId}-r${k}`, type: 'user', message: { role: 'user', content: [result] } },
      ];
    })
      .flat()
      .map((line) => `${JSON.stringify(line)}\n`)
      .join('');
  file(`${at}/${id}.jsonl`, log(undefined, 1));
  const part = file(`${at}/${name}`, log('a1', 8));
  const scan = async () => sessionsIn((await runLoopfuse(['scan', '--json', join(folder, at)])).stdout);
  expect(await scan()).toMatchObject([{ session: id, calls: 9, findings: [{ lane: 'a1' }], waste: { calls: 7 } }]);
  writeFileSync(part, log('a1', 2));
  expect(await scan()).toMatchObject([{ session: id, calls: 3, findings: [] }]);
  expect(sessionsIn((await runLoopfuse(['scan', '--json', part])).stdout)).toMatchObject([{ session: `${id}/a1` }]);
});

test('a document is remembered as lines are', async () => {
  const messages = [{ info: { role: 'user' }, parts: [{ type: 'text', text: 'Go on.' }] }];
  const path = file('remembered/export.json', JSON.stringify({ info: { id: 'ses_1', title: 'before' }, messages }));
  const scan = async () => {
    utimesSync(path, 1_700_000_000, 1_700_000_000);
    return sessionsIn((await runLoopfuse(['scan', '--json', path])).stdout).map(({ title }) => title);
  };
  expect(await scan()).toEqual(['before']);
  writeFileSync(path, readFileSync(path, 'utf8').replace('before', 'AFTER!'));
  expect(await scan()).toEqual(['before']);
});

test('a broken cache is no cache', async () => {
  const path = file('sturdy.jsonl', trace(1, 4, 'sturdy'));
  const scan = () => runLoopfuse(['scan', '--json', path], { env: { XDG_CACHE_HOME: join(folder, 'broken') } });
  const first = await scan();
  const [name = ''] = readdirSync(join(folder, 'broken/loopfuse'));
  expect(statSync(join(folder, 'broken/loopfuse', name)).mode & 0o777).toBe(0o600);
  const kept = readFileSync(join(folder, 'broken/loopfuse', name), 'utf8');
  writeFileSync(join(folder, 'broken/loopfuse', name), kept.slice(0, kept.length - 40));
  expect(await scan()).toEqual(first);
});

test('sessions of equal names in different folders all count where they differ, and copies of one count once', async () => {
  const trajectory = (task: string, rounds: number) =>
    JSON.stringify({
      trajectory: Array.from({ length: rounds }, () => ({
        action: `cat ${task}`,
        observation: 'no such file',
        thought: '',
      })),
      history: [{ role: 'user', content: task }],
    });
  file('runs/a/x.traj', trajectory('first', 3));
  file('runs/b/x.traj', trajectory('second', 2));
  file('runs/c/x.traj', trajectory('first', 3));
  const { stdout } = await runLoopfuse(['scan', '--json', join(folder, 'runs')]);
  expect(sessionsIn(stdout).map(({ session, calls, copyOf }) => [session, calls, copyOf])).toEqual([
    ['x', 3, undefined],
    ['x', 2, undefined],
    ['x', 3, join(folder, 'runs/a/x.traj')],
  ]);
});

test.each(['a-file', 'a-file/inside'])(
  'a cache that cannot be written (%s) costs a warning, not the scan',
  async (name) => {
    file('a-file', 'in the way');
    const { code, stdout, stderr } = await runLoopfuse(['scan', '--json', looping], {
      env: { XDG_CACHE_HOME: join(folder, name) },
    });
    expect(code).toBe(0);
    expect(sessionsIn(stdout)).toMatchObject([{ session: 'looping-0' }]);
    expect(stderr).toContain('the next scan reads everything again');
  },
);

test('an unknown agent is wrong usage, with the known names', async () => {
  const alone = await runLoopfuse(['scan', '--agent', 'claude']);
  expect(alone).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/unknown agent "claude".*claude-code, codex/s),
  });
  const inFiles = await runLoopfuse(['scan', '--agent', 'tyo', looping]);
  expect(inFiles).toMatchObject({ code: 2, stderr: expect.stringContaining('There are sessions of toy.') });
  expect(await runLoopfuse(['scan', '--agent', 'toy', looping])).toMatchObject({ code: 0 });
  expect(await runLoopfuse(['scan', '--agent', 'codex', looping])).toMatchObject({ code: 0 });
});

test('a gate that could read nothing does not pass', async () => {
  const prose = file('gate/prose.md', '# nothing\n');
  mkdirSync(join(folder, 'gate/empty'));
  const gate = async (...paths: string[]) => {
    const { code, stderr } = await runLoopfuse(['scan', '-f', ...paths]);
    return [code, /--fail-on-loop: .*/.exec(stderr)?.[0] ?? ''];
  };
  expect(await gate(prose)).toEqual([2, `--fail-on-loop: 1 file contained no readable session: ${prose}`]);
  expect(await gate(clean, prose)).toEqual([2, expect.stringContaining(prose)]);
  expect(await gate(join(folder, 'gate'))).toEqual([2, '--fail-on-loop: there was no session to look at.']);
  expect(await gate(join(folder, 'gate/empty'))).toEqual([2, '--fail-on-loop: there was no session to look at.']);
  expect(await gate(looping, prose)).toEqual([3, '']);
  expect(await gate('--since', '1m', clean)).toEqual([0, '']);
});

test('four megabytes of brackets, and of lines that only look like JSON, need little memory', async () => {
  const nested = file('brackets/nested.json', `${'['.repeat(2e6)}${']'.repeat(2e6)}`);
  const objects = file('brackets/objects.json', `${'{"a":'.repeat(700_000)}1${'}'.repeat(700_000)}`);
  const lines = file('brackets/lines.txt', `${'['.repeat(200)}\n`.repeat(20_000));
  const inLog = file('brackets/log.jsonl', `${trace(1, 2, 'deep')}${'['.repeat(2e6)}${']'.repeat(2e6)}\n`);
  const { code, stdout, stderr } = await runLoopfuse(['scan', '--json', nested, objects, lines, inLog], {
    nodeArgs: ['--max-old-space-size=96'],
  });
  expect(code).toBe(0);
  expect(sessionsIn(stdout)).toMatchObject([{ session: 'deep-0', calls: 2 }]);
  expect(stderr).toContain('nests more than 1000 levels deep');
});

test('--since, --agent and --min-waste leave out what was not asked for', async () => {
  const day = (text: string) =>
    trace(1, 12, text).replaceAll('"type"', `"at":${Date.parse(`${text}T12:00:00Z`)},"type"`);
  const paths = [file('old.jsonl', day('2024-03-01')), file('new.jsonl', day('2026-03-01')), clean];
  const scan = async (...args: string[]) =>
    sessionsIn((await runLoopfuse(['scan', '--json', ...args, ...paths])).stdout).map(({ session }) => session);
  expect(await scan()).toEqual(['2024-03-01-0', '2026-03-01-0', 'clean-0']);
  expect(await scan('--since', '2025-01-01')).toEqual(['2026-03-01-0', 'clean-0']);
  expect(await scan('--min-waste', '11')).toEqual(['2024-03-01-0', '2026-03-01-0']);
  expect(await scan('--min-waste', '12')).toEqual([]);
  expect(await scan('--agent', 'codex')).toEqual([]);
  expect(await scan('--agent', 'codex', '--agent', 'toy')).toHaveLength(3);
  const { code, stderr } = await runLoopfuse(['scan', '--since', 'yesterday', clean]);
  expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining("'yesterday' is invalid") });
});

test('scan show prints the timeline around a loop, found by the beginning of its id', async () => {
  const { code, stdout } = await runLoopfuse(['scan', 'show', 'lost-in', fixtures, '--around', '2']);
  expect(code).toBe(0);
  expect(stdout).toContain('repeated-calls, events 6–23');
  expect(stdout).toMatch(/^ {3}5 {2}says: I will look for it\.$/m);
  expect(stdout).toMatch(/^┃ {2}6 {2}calls shell .*rg RETRY_LIMIT src/m);
  expect(stdout).toMatch(/^↯ 11 {2}/m);
  expect(await runLoopfuse(['scan', 'show', 'no-such', fixtures])).toMatchObject({ code: 2, stdout: '' });
  const several = await runLoopfuse(['scan', 'show', join(fixtures, 'mixed.jsonl')]);
  expect(several.stderr).toContain('matches several sessions');
  expect(several.stderr).toContain('tidy-work');
});

test('scan show --all leaves no event out, and the cost is by the prices that were given', async () => {
  const lines: object[] = [{ loopfuse: 1, session: 'priced', agent: 'toy', model: 'own-model' }];
  for (let k = 0; k < 40; k++) {
    lines.push({ type: 'tool-call', id: `c${k}`, tool: 'read_file', input: { path: k < 30 ? `${k}.ts` : 'a.ts' } });
    lines.push({ type: 'usage', inputTokens: 1_000_000, outputTokens: 0 });
    lines.push({ type: 'tool-result', id: `c${k}`, output: k < 30 ? `file ${k}` : 'the same' });
  }
  const session = file('priced.jsonl', lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  const prices = file('prices.json', JSON.stringify({ models: { 'own-model': { input: 1, output: 1 } } }));
  const { stdout } = await runLoopfuse(['scan', '--prices', prices, 'show', session, '--all']);
  expect(stdout.split('\n').filter((line) => / (?:calls|gets:|used) /.test(line))).toHaveLength(120);
  expect(stdout).toMatch(/^Spent in loops: 9 calls, cost \$9\.00/m);
});

test('a log beside a link that leads to itself is read', async () => {
  const session = file('beside/looping.db', trace(1, 12, 'beside'));
  symlinkSync('looping.db-wal', `${session}-wal`);
  const { code, stdout } = await runLoopfuse(['scan', '--json', join(session, '..')]);
  expect({ code, sessions: sessionsIn(stdout).map((one) => one.session) }).toEqual({ code: 0, sessions: ['beside-0'] });
});
