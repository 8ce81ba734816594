import type { ChildProcess } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { runLoopfuse } from '../../../testing/run-loopfuse.js';
import type { Alarm } from './alarms.js';
import { toCommand } from './messengers.js';

const folder = mkdtempSync(join(tmpdir(), 'loopfuse-watch-'));
afterAll(() => rmSync(folder, { recursive: true }));

function header(session: string): string {
  return `${JSON.stringify({ loopfuse: 1, session, agent: 'toy' })}\n`;
}

function rounds(count: number, name: string): string {
  let text = '';
  for (let k = 0; k < count; k++) {
    const id = `${name}-${k}`;
    text += `${JSON.stringify({ type: 'tool-call', id, tool: 'bash', input: { command: `make ${name}` } })}\n`;
    text += `${JSON.stringify({ type: 'tool-result', id, output: 'Error: no rule', failed: true })}\n`;
  }
  return text;
}

interface Watching {
  readonly out: () => string;
  until(wanted: string | RegExp): Promise<void>;
}

/** Runs the command, does something while it watches, ends it with Ctrl-C. */
async function watching(args: readonly string[], during: (watch: Watching) => Promise<void>, env = {}) {
  let child: ChildProcess | undefined;
  let seen = '';
  const ended = runLoopfuse(['watch', ...args], {
    env: { HOME: folder, ...env },
    onStart(started) {
      child = started;
      for (const stream of [started.stdout!, started.stderr!]) stream.on('data', (text: string) => (seen += text));
    },
  });
  const until = async (wanted: string | RegExp) => {
    while (!(typeof wanted === 'string' ? seen.includes(wanted) : wanted.test(seen))) {
      if (child!.exitCode !== null) throw new Error(`it ended without ${wanted}: ${seen}`);
      await setTimeout(20);
    }
  };
  try {
    await until('Watching');
    await during({ out: () => seen, until });
  } finally {
    child!.kill('SIGINT');
  }
  return await ended;
}

test('a loop is reported once, as soon as it is written, and what was there before is not', async () => {
  const own = join(folder, 'lines');
  mkdirSync(own);
  const log = join(own, 'a.jsonl');
  writeFileSync(log, header('old-loop') + rounds(8, 'old') + header('live'));
  const { code, stdout } = await watching([own], async ({ until }) => {
    const text = rounds(6, 'new');
    appendFileSync(log, text.slice(0, 100)); // cut inside a line
    writeFileSync(join(own, 'b.jsonl'), header('newcomer') + rounds(6, 'b'));
    await until('session newcomer'); // so the line was read as far as it went
    appendFileSync(log, text.slice(100));
    await until('session live');
    appendFileSync(log, rounds(3, 'new').replaceAll('new-', 'more-'));
    writeFileSync(join(own, 'c.jsonl'), header('another') + rounds(6, 'c'));
    await until('session another');
  });
  expect(code).toBe(0);
  expect(stdout.match(/toy loops/g)).toHaveLength(3);
  expect(stdout).not.toContain('old-loop');
  expect(stdout).toMatch(/\nWatched 3 files: 3 loops in 3 sessions\.\n$/);
});

test('where no agent has written anything yet, it says so, and sees the first log', async () => {
  const home = join(folder, 'nobody-yet');
  mkdirSync(home);
  const { code, stderr, stdout } = await watching(
    [],
    async ({ until }) => {
      mkdirSync(join(home, '.loopfuse', 'sessions'), { recursive: true });
      mkdirSync(join(home, '.claude', 'projects', 'p'), { recursive: true });
      writeFileSync(join(home, '.claude', 'projects', 'p', 'a.jsonl'), header('first-of-all') + rounds(6, 'f'));
      await until('session first-of-all');
    },
    { HOME: home },
  );
  expect(code).toBe(0);
  expect(stderr).toMatch(
    /^No agent logs found in the default locations yet\. To watch other .* watch PATH…\nWatching 0/,
  );
  expect(stdout).toContain('Watched 1 file: 1 loop');
});

test('truncated, rotated and rewritten logs are followed', async () => {
  const own = join(folder, 'turns');
  mkdirSync(own);
  const [cut, turned, document] = ['cut.jsonl', 'turned.jsonl', 'chat.json'].map((name) => join(own, name));
  writeFileSync(cut!, header('before-cut') + rounds(2, 'x'));
  writeFileSync(turned!, header('before-turn') + rounds(2, 'y'));
  const messages = (builds: number, fetches = 0) => {
    const list: object[] = [];
    const call = (tool: string, command: string, content: string) => {
      const id = `c${list.length}`;
      const made = { id, type: 'function', function: { name: tool, arguments: JSON.stringify({ command }) } };
      list.push({ role: 'assistant', content: null, tool_calls: [made] }, { role: 'tool', tool_call_id: id, content });
    };
    list.push({ role: 'user', content: 'Build it.' });
    for (let k = 0; k < builds; k++) call('bash', 'make', 'Error: no rule');
    list.push({ role: 'user', content: 'Look at the site.' });
    for (let k = 0; k < fetches; k++) call('fetch', 'https://shop.example', '503 Service Unavailable');
    return JSON.stringify(list);
  };
  writeFileSync(document!, messages(1));
  const { stdout } = await watching([own], async ({ until }) => {
    writeFileSync(cut!, header('cut') + rounds(1, 'c'));
    renameSync(turned!, `${turned}.1`);
    writeFileSync(turned!, header('turned') + rounds(6, 't'));
    await until('session turned');
    appendFileSync(cut!, rounds(5, 'c').replaceAll('c-', 'd-'));
    await until('session cut');
    writeFileSync(document!, messages(6));
    await until('session turns');
    writeFileSync(document!, messages(8, 6));
    await until('shop.example');
  });
  expect(stdout.match(/toy loops/g)).toHaveLength(2);
  expect(stdout.match(/ loops/g)).toHaveLength(5); // the two of the document, and the summary
});

test('webhooks and commands get the loop as JSON, and one that fails does not stop the rest', async () => {
  const own = join(folder, 'reported');
  mkdirSync(own);
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => (body += text));
    request.on('end', () => {
      bodies.push(body);
      response.writeHead(500).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  const kept = join(own, 'kept.txt');
  const { stdout, stderr } = await watching(
    [own, '--json', '--bell', '--webhook', url, '--exec', `cat > '${kept}'`],
    async ({ until }) => {
      writeFileSync(join(own, 'a.jsonl'), header('reported') + rounds(6, 'a'));
      await until('the webhook answered 500');
    },
  );
  server.close();
  const wanted = {
    session: 'reported',
    agent: 'toy',
    kind: 'repeated-failure',
    message: expect.stringContaining('make a'),
  };
  expect(JSON.parse(stdout)).toMatchObject(wanted);
  expect(bodies.map((body) => JSON.parse(body) as object)).toMatchObject([wanted]);
  expect(JSON.parse(readFileSync(kept, 'utf8'))).toMatchObject(wanted);
  expect(stderr).toContain('\u0007');
});

test.each([
  ['exit 3', 'exit 3 ended with exit code 3'],
  ['kill -9 $$', 'kill -9 $$ was ended by SIGKILL'],
])('a command that fails is reported with how it ended: %s', async (command, message) => {
  const session = { id: 's', agent: 'toy', file: 's.jsonl' };
  const alarm = { session, finding: { detector: 'd', kind: 'cycle' }, message: 'm' } as unknown as Alarm;
  await expect(toCommand(command)(alarm)).rejects.toThrow(message);
});

test('--notify shows a loop once on the desktop, by the program of the platform', async () => {
  const own = join(folder, 'desktop');
  mkdirSync(own);
  const programs = join(folder, 'programs');
  mkdirSync(programs);
  const shown = join(folder, 'shown.txt');
  const program = join(programs, process.platform === 'darwin' ? 'osascript' : 'notify-send');
  writeFileSync(program, `#!/bin/sh\nfor word; do echo "$word"; done >> '${shown}'\n`, { mode: 0o755 });
  await watching(
    [own, '--notify'],
    async ({ until }) => {
      writeFileSync(join(own, 'a.jsonl'), header('desktop') + rounds(6, 'a'));
      await until('session desktop');
      appendFileSync(join(own, 'a.jsonl'), rounds(6, 'a').replaceAll('a-', 'b-'));
      while (!existsSync(shown)) await setTimeout(20);
    },
    { PATH: `${programs}:${process.env.PATH}` },
  );
  const words = readFileSync(shown, 'utf8').split('\n');
  expect(words.filter((word) => word === 'toy is looping')).toHaveLength(1);
  expect(words.filter((word) => word.includes('make a'))).toHaveLength(1);
});

test('a flood of loops reaches a webhook slowly and masked, and an endpoint that never answers holds nothing up', async () => {
  const own = join(folder, 'flood');
  mkdirSync(own);
  const bodies: { session: string; text: string; message: string }[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => (body += text));
    request.on('end', () => {
      bodies.push(JSON.parse(body));
      if (bodies.length > 1) response.writeHead(204).end(); // the first is never answered
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  const secret = 'sk-abcdefghijklmnopqrstuvwx';
  const all = 14;
  const { code, stdout, stderr } = await watching([own, '--webhook', url], async ({ until, out }) => {
    for (let k = 0; k < all; k++) {
      const command = `API_KEY=${secret} make /home/ada/part-${k}`;
      writeFileSync(join(own, `${k}.jsonl`), header(`s${k}`) + rounds(6, 'a').replaceAll('make a', command));
    }
    for (let k = 0; k < all; k++) await until(`session s${k}:`);
    expect(out()).toContain(secret); // the terminal is the user's own
    while (bodies.length < 10) await setTimeout(20);
  });
  server.closeAllConnections();
  server.close();
  expect(code).toBe(0);
  expect(stdout).toContain(`${all} loops in ${all} sessions`);
  expect(new Set(bodies.map(({ session }) => session)).size).toBe(bodies.length); // once each
  expect(JSON.stringify(bodies)).not.toMatch(new RegExp(`${secret}|/home/ada`));
  expect(bodies[0]).toMatchObject({ text: expect.stringMatching(/^toy is looping: .*make/) });
  const [, lost] = /(\d+) loops? did not reach the webhook/.exec(stderr) ?? [];
  expect([all, all + 1]).toContain(bodies.length + Number(lost)); // the one without an answer is in both
});

test('an address that is none is wrong usage', async () => {
  const { code, stderr } = await runLoopfuse(['watch', '--webhook', 'file:///etc/passwd', folder]);
  expect({ code, stderr }).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("'file:///etc/passwd' is invalid"),
  });
});

test('what cannot be read is said at the start, as a scan says it', async ({ skip }) => {
  const own = join(folder, 'odd');
  mkdirSync(own);
  writeFileSync(join(own, 'a.jsonl'), header('a'));
  const name = Buffer.concat([Buffer.from(join(own, 'b')), Buffer.from([0xe9]), Buffer.from('.jsonl')]);
  try {
    writeFileSync(name, header('b'));
  } catch {
    skip(); // not every file system has such names
  }
  const { code, stderr } = await watching([own], async () => {});
  expect(code).toBe(0);
  expect(stderr).toContain('not valid UTF-8');
  expect(stderr).toContain('Watching 1 file,');
  rmSync(name);
});
