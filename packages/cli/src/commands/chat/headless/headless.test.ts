import { readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { providerFacts } from '@loopfuse/agent';
import {
  callFor,
  chants,
  cycles,
  fails,
  innocent,
  loopsForever,
  recoversAfterSteer,
  type Script,
  sameError,
  say,
  stalls,
  thinksInCircles,
} from '@loopfuse/model-server';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type Ended, type RunOptions, runLoopfuse } from '../../../../testing/run-loopfuse.js';
import { scriptedWorkplace, type Workplace } from '../../../../testing/scripted-workplace.js';
import { fakeTerminal } from '../../../../testing/terminal.js';
import { run } from '../../../run.js';

/** The built command in a process of its own. */
function chat(place: Workplace, args: readonly string[], options: RunOptions = {}): Promise<Ended> {
  return runLoopfuse(['chat', ...place.flags, ...args], { ...options, env: { HOME: place.home, ...options.env } });
}

/** The same within this process, which is quicker. */
async function chatHere(place: Workplace, args: readonly string[], piped = ''): Promise<Ended> {
  const [out, err] = [fakeTerminal(), fakeTerminal()];
  const stdin = Readable.from(piped === '' ? [] : [Buffer.from(piped)]) as unknown as NodeJS.ReadStream;
  const { stdout, stderr } = process;
  const shell = {
    out,
    err,
    env: { HOME: place.home, PATH: process.env.PATH },
    streams: { stdin, stdout, stderr },
    command: 'loopfuse',
    exitCode: 0,
  };
  await run(['chat', ...place.flags, ...args], shell);
  return { code: shell.exitCode, stdout: out.written, stderr: err.written };
}

describe('a process ends with', () => {
  test('0 when the model is done: its words on standard output, nothing else', async () => {
    const place = await scriptedWorkplace(innocent());
    const { code, stdout, stderr } = await chat(place, ['-p', 'What does it do?', '--approval', 'yolo']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toBe(
      'I start with the readme.\nNow the manifest.\nWhere is the function used?\nHere is the source.\nI write a check for it.\nAnd run it.\nThe function adds two numbers, and the new check passes.\n',
    );
  });

  test('86 when a loop ended it: why on standard error as a sentence, and in JSON as data', async () => {
    const place = await scriptedWorkplace(loopsForever());
    const { code, stdout, stderr } = await chat(place, ['-p', 'go', '-o', 'json']);
    const lines = stderr.trimEnd().split('\n');
    expect(lines[0]).toMatch(/^loopfuse: Repeated calls: the model was told\. The call read_file/);
    expect(lines[1]).toMatch(/^loopfuse: Repeated calls: a call was refused/);
    expect(lines[2]).toMatch(/^loopfuse: Stopped because of a loop .* Spent on it: [\d,]+ tokens\.$/);
    const result = JSON.parse(stdout);
    expect(result).toMatchObject({
      status: 'loop',
      exitCode: 86,
      loop: {
        kind: 'repeated-calls',
        evidence: expect.anything(),
        explanation: expect.stringContaining('3 times'),
        waste: { calls: 4 },
        decision: { type: 'stop' },
        findings: expect.arrayContaining([expect.objectContaining({ tools: ['read_file'] })]),
      },
      steers: [{ decision: { type: 'steer' } }, { decision: { type: 'block' }, blocked: expect.any(String) }],
      turns: 5,
    });
    expect([code, lines[3]]).toEqual([86, expect.stringContaining(`--resume ${result.session}`)]);
  });

  test('53 when the turns are used up', async () => {
    const place = await scriptedWorkplace(innocent());
    const { code, stdout, stderr } = await chat(place, ['-p', 'go', '--max-turns', '2', '-o', 'stream-json']);
    expect(code).toBe(53);
    expect(stderr).toContain('Stopped after 2 turns');
    const lines = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines[0]).toMatchObject({ type: 'session', model: 'scripted-model', provider: 'openai-compatible' });
    expect(lines.at(-2)).toEqual({ type: 'max-turns', turns: 2 });
    expect(lines.at(-1)).toMatchObject({ type: 'result', status: 'turn-limit', exitCode: 53, calls: 2 });
  });

  test('130 when it is interrupted, with what there is so far', async () => {
    const place = await scriptedWorkplace(() => ({
      ...say('one two three four five '.repeat(40)),
      pace: { delay: 20 },
    }));
    const { code, stdout, stderr } = await chat(place, ['-p', 'go', '-o', 'json'], {
      onStart(child) {
        const timer = setInterval(() => {
          if (place.server.seen === 0) return;
          clearInterval(timer);
          setTimeout(() => child.kill('SIGINT'), 300);
        }, 20);
      },
    });
    expect(code).toBe(130);
    expect(stderr).toContain('loopfuse: Interrupted by SIGINT.');
    expect(JSON.parse(stdout)).toMatchObject({
      status: 'interrupted',
      exitCode: 130,
      text: expect.stringContaining('one two'),
    });
  });

  test('1 when the model cannot be asked', async () => {
    const place = await scriptedWorkplace(fails(401, { message: 'that key is wrong' }));
    const { code, stdout, stderr } = await chat(place, ['-p', 'go', '-o', 'json']);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^loopfuse: The request failed: .*that key is wrong/);
    expect(JSON.parse(stdout)).toMatchObject({ status: 'error', error: { status: 401 } });
  });

  test('2 when the settings are wrong: file, key, and what is allowed', async () => {
    const place = await scriptedWorkplace(innocent());
    place.put({
      '.loopfuse/settings.json': '{ "preset": "strict" }',
      '~/.loopfuse/settings.json': '{ "detectors": { "stale-rounds": { "times": 1 } } }',
    });
    const { code, stdout, stderr } = await chat(place, ['-p', 'go']);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(
      /home\/\.loopfuse\/settings\.json: "detectors\.stale-rounds\.times" must be at least 2, got 1/,
    );
    expect(stderr).toMatch(/project\/\.loopfuse\/settings\.json: "preset" must be one of balanced, gemini-cli/);
    expect(place.server.seen).toBe(0);
  });
});

describe('a loop of this kind is caught', () => {
  test.each<[string, Script, string]>([
    ['the same call', loopsForever(), 'repeated-calls'],
    ['calls that go round', cycles(3), 'cycle'],
    ['the same error from other arguments', sameError(), 'repeated-failure'],
    ['a chant', chants(), 'chanting'],
    ['thoughts that circle', thinksInCircles(), 'circling'],
  ])('%s', async (_, script, kind) => {
    const place = await scriptedWorkplace(script);
    const { code, stdout, stderr } = await chatHere(place, [
      '-p',
      'go',
      '--on-loop',
      'stop',
      '--approval',
      'yolo',
      '-o',
      'json',
    ]);
    expect(JSON.parse(stdout)).toMatchObject({ loop: { kind, decision: { type: 'stop' } }, steers: [] });
    expect(stderr).toContain(`Stopped because of a loop (${kind}).`);
    expect(code).toBe(86);
  });
});

test('steer is the default, and a model that follows the message finishes', async () => {
  const place = await scriptedWorkplace(recoversAfterSteer());
  const { code, stdout, stderr } = await chatHere(place, ['-p', 'go']);
  expect(code).toBe(0);
  expect(stdout).toBe('You are right, I was repeating myself. The work is done as far as it can be.\n');
  expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  expect(stderr).toContain('the model was told');
});

test("an ancestor's preset stops at its own threshold", async () => {
  const place = await scriptedWorkplace(loopsForever());
  const { code, stdout } = await chatHere(place, ['-p', 'go', '--preset', 'gemini-cli', '-o', 'json']);
  expect(code).toBe(86);
  expect(JSON.parse(stdout)).toMatchObject({ steers: [], turns: 5 });
});

test.each([
  ['--no-loop-detection', 0],
  ['--policy=shadow', 0],
  ['--policy=interactive', 86],
])('%s', async (flag, code) => {
  const place = await scriptedWorkplace(loopsForever({ rounds: 9 }));
  expect((await chatHere(place, ['-p', 'go', flag])).code).toBe(code);
});

test('settings files are applied, the project before the user, flags before both', async () => {
  const place = await scriptedWorkplace(loopsForever({ rounds: 9 }));
  place.put({
    '~/.loopfuse/settings.json': '{ "policy": "stop", "maxTurns": 4 }',
    '.loopfuse/settings.json': '{ "maxTurns": 2, "approval": "yolo", "colour": "red" }',
  });
  const { code, stderr } = await chatHere(place, ['-p', 'go']);
  expect(code).toBe(53);
  expect(stderr).toContain('Stopped after 2 turns');
  expect(stderr).toContain('"approval" is ignored: a project may not set it');
  expect(stderr).toContain('"colour" is not a setting and is ignored');
  expect((await chatHere(place, ['-p', 'go', '--max-turns', '50'])).code).toBe(86);
});

test('what is piped in is context, or the whole request', async () => {
  const place = await scriptedWorkplace(() => say('Read.'));
  const asked = () => place.server.requests.at(-1)!.turn!.messages.at(-1)!.text;
  await chat(place, ['-p', 'Why?'], { input: 'error: it broke\n' });
  expect(asked()).toBe('Why?\n\n<piped-input>\nerror: it broke\n\n</piped-input>');
  await chatHere(place, [], 'Just this');
  expect(asked()).toBe('Just this');
});

test('without a terminal a message argument is the request; together with -p it is an error', async () => {
  const place = await scriptedWorkplace(() => say('Read.'));
  expect(await chatHere(place, ['fix', 'it'])).toMatchObject({ code: 0, stdout: 'Read.\n' });
  expect(place.server.requests.at(-1)!.turn!.messages.at(-1)!.text).toBe('fix it');
  const twice = await chatHere(place, ['fix it', '-p', 'go']);
  expect(twice).toMatchObject({ code: 2, stderr: expect.stringContaining('got -p "go" and "fix it"') });
});

test('what needs approval is declined where nobody can give it, and the model is told', async () => {
  const place = await scriptedWorkplace((turn) =>
    turn.turn === 0 ? { parts: [callFor(turn, { shell: 'touch made.txt' })] } : say(turn.results[0]?.text ?? ''),
  );
  const { code, stdout, stderr } = await chatHere(place, ['-p', 'go']);
  expect(code).toBe(4);
  expect(stdout).toContain('nobody is here to give it');
  expect(stderr).toContain('1 call needed approval');
});

test('a session goes on with --resume, by its id, the beginning of it, or as the latest', async () => {
  const place = await scriptedWorkplace(() => say('Noted.'));
  const { session } = JSON.parse((await chatHere(place, ['-p', 'one', '-o', 'json'])).stdout);
  for (const [word, ...resume] of [['two', session], ['three', session.slice(0, 6)], ['four']])
    await chatHere(place, ['-p', word, '--resume', ...resume]);
  const messages = place.server.requests.at(-1)!.turn!.messages.filter(({ role }) => role === 'user');
  expect(messages.map(({ text }) => text)).toEqual(['one', 'two', 'three', 'four']);
  const missing = await chatHere(place, ['-p', 'five', '--resume', 'zzz']);
  expect(missing).toMatchObject({ code: 2, stderr: expect.stringContaining(`Some that exist:\n  ${session} one`) });
});

test('--resume names the latest session where it cannot be read, and goes on with the one before it', async () => {
  const place = await scriptedWorkplace(() => say('Noted.'));
  await chatHere(place, ['-p', 'one']);
  const folder = join(place.home, '.loopfuse/sessions');
  const [project = ''] = readdirSync(folder);
  const broken = join(folder, project, 'cut-off.json');
  writeFileSync(broken, '{"id":"cut-off"');
  const { code, stderr } = await chatHere(place, ['-p', 'two', '--resume']);
  expect(code).toBe(0);
  expect(stderr).toContain(`${broken} cannot be resumed: `);
  expect(stderr).toContain('Going on with the latest session before it.');
  const messages = place.server.requests.at(-1)!.turn!.messages.filter(({ role }) => role === 'user');
  expect(messages.map(({ text }) => text)).toEqual(['one', 'two']);
});

test('a judge that the settings name is asked, and what it has cost is counted', async () => {
  const loops = loopsForever({ rounds: 31 });
  const opinion = JSON.stringify({ analysis: 'It reads the same file for ever.', confidence: 0.95 });
  const place = await scriptedWorkplace((turn) => (turn.model === 'judge-model' ? say(opinion) : loops(turn)));
  place.put({ '~/.loopfuse/settings.json': '{ "judge": { "model": "judge-model", "schedule": "ancestors" } }' });
  const { stdout } = await chatHere(place, ['-p', 'go', '--policy', 'shadow', '-o', 'json']);
  const { judge: spent } = JSON.parse(stdout);
  const asked = place.server.requests.filter(({ turn }) => turn?.model === 'judge-model');
  expect(asked.length).toBeGreaterThan(0);
  expect(spent).toMatchObject({ calls: asked.length, inputTokens: expect.any(Number) });
  expect(spent.inputTokens).toBeGreaterThan(100);
});

test('spans go to the endpoint that the environment names, and without one nowhere', async () => {
  const place = await scriptedWorkplace(() => say('Hi.'));
  const paths: string[] = [];
  const receiver = createServer((request, response) => {
    paths.push(request.url ?? '');
    request.resume().on('end', () => response.end('{}'));
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void receiver.close());
  const { port } = receiver.address() as AddressInfo;
  expect((await chat(place, ['-p', 'hello'])).code).toBe(0);
  expect(paths).toEqual([]);
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` };
  expect(await chat(place, ['-p', 'hello'], { env })).toMatchObject({ code: 0, stderr: '' });
  expect(paths).toContain('/v1/traces');
});

test.each([
  ['is no address', { OTEL_EXPORTER_OTLP_ENDPOINT: 'nowhere' }, 'nowhere'],
  [
    'wants gRPC',
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4317', OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' },
    'only HTTP is supported',
  ],
])('an endpoint for telemetry that %s is reported, and the agent works all the same', async (_, env, problem) => {
  const place = await scriptedWorkplace(() => say('Hi.'));
  const { code, stdout, stderr } = await chat(place, ['-p', 'hello'], { env });
  expect([code, stdout]).toEqual([0, 'Hi.\n']);
  expect(stderr).toContain('Nothing is sent to OpenTelemetry');
  expect(stderr).toContain(problem);
});

test('--price gives the cost', async () => {
  const place = await scriptedWorkplace(() => ({
    ...say('Hi.'),
    usage: { inputTokens: 1_000_000, outputTokens: 100_000 },
  }));
  const { stdout } = await chatHere(place, ['-p', 'hello', '--price', '3,15', '-o', 'json']);
  expect(JSON.parse(stdout)).toMatchObject({ cost: 4.5, usage: { inputTokens: 1_000_000 } });
});

test.each<[readonly string[], string]>([
  [['-p', 'go', '--on-loop', 'ask'], '--on-loop ask needs a terminal'],
  [['-p', 'go', '--on-loop', 'stop', '--policy', 'ask'], 'give one of them'],
  [['-p', ' '], 'There is no request'],
  [[], 'There is no request'],
  [['-p', 'go', '-C', '/no/such/folder'], 'there is no folder "/no/such/folder"'],
  [['-p', 'go', '--resume'], 'There are no sessions of'],
])('%j is wrong usage', async (args, message) => {
  const place = await scriptedWorkplace(() => say('Hi.'));
  const { code, stdout, stderr } = await chatHere(place, args);
  expect(stderr).toContain(message);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
});

test.each<[readonly string[], string]>([
  [[], 'No provider is set'],
  [['--provider', 'anthropic', '-m', 'claude-x'], 'No key for anthropic. Set ANTHROPIC_API_KEY'],
  [['-m', 'gpt-5'], 'No key for openai. Set OPENAI_API_KEY'],
  [['--provider', 'google'], 'No key for google. Set GEMINI_API_KEY'],
  [['--base-url', 'http://127.0.0.1:9/v1'], 'No model is set for openai-compatible. Name one with --model'],
  [['--provider', 'openai-compatible', '-m', 'x'], 'No address for the openai-compatible provider'],
])('with %j it says what to set', async (args, message) => {
  const { code, stdout, stderr } = await runLoopfuse(['chat', '-p', 'hello', ...args]);
  expect(stderr).toContain(`error: ${message}`);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
});

test('a provider without a model gets its default, and a message says so', async () => {
  const place = await scriptedWorkplace(() => say('Hi.'));
  const env = { OPENAI_API_KEY: 'k', OPENAI_BASE_URL: `${place.server.url}/v1` };
  const { code, stdout, stderr } = await runLoopfuse(['chat', '-C', place.root, '-p', 'go', '-o', 'json'], {
    env: { ...env, HOME: place.home },
  });
  const { defaultModel } = providerFacts.openai;
  expect(stderr).toBe(
    `loopfuse: no model is set: taking ${defaultModel}, the default of openai. --model names another.\n`,
  );
  expect({ code, model: JSON.parse(stdout).model }).toEqual({ code: 0, model: defaultModel });
});

test('a pipe that is never closed does not hold the run up for long', async () => {
  const place = await scriptedWorkplace(() => say('Hi.'));
  const stdin = new Readable({ read() {} }) as unknown as NodeJS.ReadStream;
  const { readPiped } = await import('./read-piped.js');
  expect(await readPiped(stdin, new AbortController().signal, 20)).toEqual({ type: 'silent' });
  expect(place.server.seen).toBe(0);
});

test('a stream that stalls can be interrupted', async () => {
  const place = await scriptedWorkplace(stalls({ after: 2 }));
  const { code } = await chat(place, ['-p', 'go'], {
    onStart(child) {
      const timer = setInterval(() => {
        if (place.server.seen === 0) return;
        clearInterval(timer);
        child.kill('SIGINT');
      }, 20);
    },
  });
  expect(code).toBe(130);
});

test('models with https are asked through the proxy of the environment', async () => {
  const asked: string[] = [];
  const proxy = createServer().on('connect', ({ url }, socket) => {
    asked.push(String(url));
    socket.end('HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n');
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void proxy.close());
  const place = await scriptedWorkplace(innocent());
  const env = { HOME: place.home, HTTPS_PROXY: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}` };
  const flags = ['--cwd', place.root, '--provider', 'openai-compatible', '--base-url', 'https://models.example/v1'];
  const { code, stderr } = await runLoopfuse(['chat', ...flags, '--model', 'm', '-p', 'Hello?'], { env });
  expect(code).not.toBe(0);
  expect(stderr).toContain('the proxy answered with status 403');
  expect(new Set(asked)).toEqual(new Set(['models.example:443']));
});
