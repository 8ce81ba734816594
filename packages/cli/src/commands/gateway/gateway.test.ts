import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { askModel, loopsForever, type Message, type ModelServer, say, startModelServer } from '@loopfuse/model-server';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { bin, cleanEnv, runLoopfuse } from '../../../testing/run-loopfuse.js';
import { parseUpstreams } from './upstreams.js';

const folder = mkdtempSync(join(tmpdir(), 'loopfuse-gateway-test-'));
let model: ModelServer;
beforeAll(async () => {
  model = await startModelServer({ script: loopsForever() });
});
afterAll(async () => {
  await model.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Starts the command and waits for its address. */
async function serve(
  args: readonly string[],
  env: NodeJS.ProcessEnv = cleanEnv,
): Promise<{ child: ChildProcess; url: string; said: () => string }> {
  const upstreams = ['openai', 'anthropic', 'gemini'].flatMap((name) => ['--upstream', `${name}=${model.url}`]);
  const child = spawn(process.execPath, [bin, 'gateway', '--port', '0', ...upstreams, ...args], { env });
  let said = '';
  child.stderr.setEncoding('utf8');
  while (!said.includes('loopfuse gateway at')) said += (await once(child.stderr, 'data'))[0];
  child.stderr.on('data', (text) => {
    said += text;
  });
  return { child, url: /http:\/\/\S+?(?=,)/.exec(said)![0], said: () => said };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<unknown> {
  const ended = once(child, 'exit');
  child.kill(signal);
  return (await ended)[0];
}

const empty = { text: '', reasoning: '', calls: [], results: [] };
const tools = [
  {
    name: 'read_file',
    description: '',
    takes: 'object',
    parameters: { type: 'object', properties: { path: { type: 'string' } } },
  },
] as const;

/** One more round of a conversation with the model behind the gateway. */
async function round(url: string, messages: Message[]) {
  const headers = { 'x-loopfuse-session': 'one/../two' };
  const answer = await askModel({ url, protocol: 'openai-chat', stream: true, messages, tools, headers });
  messages.push({ ...empty, role: 'assistant', text: answer.text, calls: answer.calls });
  const results = answer.calls.map(({ id, tool }) => ({ id, tool, text: 'the same' }));
  if (results.length > 0) messages.push({ ...empty, role: 'tool', results });
  return answer;
}

describe('loopfuse gateway', () => {
  it('serves, says whether it is there, records, and ends in order', async () => {
    const journal = join(folder, 'journal');
    const { child, url, said } = await serve(['--journal', journal]);
    expect(await (await fetch(`${url}/healthz`)).json()).toMatchObject({ status: 'ok', store: { state: 'ok' } });
    const messages: Message[] = [{ ...empty, role: 'user', text: 'SECRET-PROMPT' }];
    let answer = await round(url, messages);
    for (let k = 0; k < 6 && answer.calls.length > 0; k++) answer = await round(url, messages);
    expect(answer.text).toMatch(/Loopfuse stopped this run/);
    expect(await end(child, 'SIGTERM')).toBe(0);
    expect(said()).toMatch(/loop \(repeated-calls\).*\n.*steer/);
    expect(said()).not.toContain('SECRET');
    const [day] = readdirSync(journal);
    const [file] = readdirSync(join(journal, day!));
    const trace = join(journal, day!, file!);
    expect(statSync(trace).mode & 0o077).toBe(0);
    expect(readFileSync(trace, 'utf8')).toContain('SECRET-PROMPT');
    expect((await runLoopfuse(['scan', journal, '--fail-on-loop'])).code).toBe(3);
  });

  it('ends at once on a second signal, whichever it is, while an answer is under way', async () => {
    const upstream = createHttpServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(':\n\n');
    }).listen(0, '127.0.0.1');
    await once(upstream, 'listening');
    const { port } = upstream.address() as AddressInfo;
    const { child, url, said } = await serve(['--upstream', `openai=http://127.0.0.1:${port}`]);
    const body = JSON.stringify({ model: 'm', stream: true, messages: [{ role: 'user', content: 'Go on.' }] });
    const answer = await fetch(`${url}/v1/chat/completions`, { method: 'POST', body });
    child.kill('SIGINT');
    await vi.waitFor(() => expect(said()).toContain('a second signal ends the gateway at once'));
    const asked = performance.now();
    await end(child, 'SIGTERM');
    expect(child.signalCode).toBe('SIGTERM');
    expect(performance.now() - asked).toBeLessThan(4_000);
    await answer.text().catch(() => {});
    upstream.closeAllConnections();
    upstream.close();
  });

  it('goes on where it was when it was killed', async () => {
    const store = `disk:${join(folder, 'store')}`;
    const first = await serve(['--store', store]);
    const messages: Message[] = [{ ...empty, role: 'user', text: 'go' }];
    await round(first.url, messages);
    await round(first.url, messages);
    await end(first.child, 'SIGKILL');
    const second = await serve(['--store', store]);
    let rounds = 2;
    for (let answer = await round(second.url, messages); answer.calls.length > 0 && rounds < 9; rounds++)
      answer = await round(second.url, messages);
    await end(second.child, 'SIGTERM');
    expect(rounds).toBeLessThan(5);
  });

  it('lets the answers under way end when it is ended, and takes no new requests', async () => {
    let finish = () => {};
    const slow = createHttpServer((_, outgoing) => {
      outgoing.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: {"choices":[]}\n\n');
      finish = () => outgoing.end('data: [DONE]\n\n');
    }).listen(0, '127.0.0.1');
    await once(slow, 'listening');
    const { port } = slow.address() as AddressInfo;
    const { child, url, said } = await serve(['--upstream', `openai=http://127.0.0.1:${port}`]);
    const body = JSON.stringify({ model: 'm', stream: true, messages: [{ role: 'user', content: 'go' }] });
    const response = await fetch(`${url}/v1/chat/completions`, { method: 'POST', body });
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await vi.waitFor(() => expect(said()).toContain('for answers in progress'), { timeout: 15_000 });
    await expect(fetch(`${url}/healthz`)).rejects.toThrow();
    finish();
    expect(await response.text()).toBe('data: {"choices":[]}\n\ndata: [DONE]\n\n');
    expect(await ended).toEqual([0, null]);
    expect(said()).not.toContain('closed the connection');
    slow.close();
  });

  it('goes on when nobody reads its log any more', async () => {
    const { child, url } = await serve(['--upstream', 'openai=http://127.0.0.1:9']);
    child.stderr!.destroy();
    const ask = () => fetch(`${url}/v1/chat/completions`, { method: 'POST', body: '{}' });
    for (let k = 0; k < 4; k++) expect((await ask()).status).toBe(502); // each is a line of the log
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    expect(await end(child, 'SIGTERM')).toBe(0);
  });

  it.skipIf(!existsSync('/dev/full'))('goes on when there is no room for its log', async () => {
    const port = await freePort();
    const full = openSync('/dev/full', 'w');
    const child = spawn(process.execPath, [bin, 'gateway', '--port', String(port)], {
      env: cleanEnv,
      stdio: ['ignore', 'ignore', full],
    });
    closeSync(full);
    const ended = once(child, 'exit');
    await vi.waitFor(async () => expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200), 20_000);
    child.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
  });

  it('asks the judge that the operator names about a session that looks stuck', async () => {
    const opinion = 'It looks for something that is not there.';
    const judging = await startModelServer({
      script: () => say(JSON.stringify({ analysis: opinion, confidence: 0.97 })),
    });
    const looking = await startModelServer({
      script: ({ turn }) => ({ parts: [{ call: { tool: 'read_file', input: { path: `${turn}.md` } } }] }),
    });
    const judgeFlags = ['--judge', 'wise-model', '--judge-url', `${judging.url}/v1`];
    const env = { ...cleanEnv, LOOPFUSE_JUDGE_KEY: 'sk-judge' };
    const { child, url, said } = await serve(['--upstream', `openai=${looking.url}`, ...judgeFlags], env);
    const messages: Message[] = [{ ...empty, role: 'user', text: 'Find it.' }];
    const isNoted = () => looking.requests.some(({ body }) => JSON.stringify(body).includes(opinion));
    for (let k = 0; k < 12 && !isNoted(); k++) {
      await round(url, messages);
      // The judge is asked beside a request, and the agent may be quicker.
      if (judging.requests.length > 0)
        await vi.waitFor(() => expect(judging.requests[0]?.delivery).toBe('whole'), { timeout: 15_000 });
    }
    await end(child, 'SIGTERM');
    const [asked] = judging.requests;
    await judging.close();
    await looking.close();
    expect(isNoted()).toBe(true);
    expect(said()).toMatch(/loop \(judged\)/);
    expect(said()).not.toContain(opinion);
    expect(JSON.stringify(asked?.body)).toContain('wise-model');
    expect(asked?.headers.authorization).toBe('Bearer sk-judge');
  });

  it('says what is missing to ask a judge', async () => {
    const alone = await runLoopfuse(['gateway', '--judge-url', 'http://127.0.0.1:9/v1']);
    expect(alone).toMatchObject({ code: 2, stderr: expect.stringMatching(/--judge is missing/) });
    const keyless = await runLoopfuse(['run', '--judge', 'claude-haiku-4-5', '--', 'true']);
    expect(keyless).toMatchObject({ code: 2, stderr: expect.stringMatching(/ANTHROPIC_API_KEY/) });
  });

  it('does not serve other machines without a token', async () => {
    const { code, stderr } = await runLoopfuse(['gateway', '--host', '0.0.0.0']);
    expect(code).toBe(2);
    expect(stderr).toMatch(/LOOPFUSE_GATEWAY_TOKEN/);
  });

  it('reports at the start that the journal cannot be written', async () => {
    const inTheWay = join(folder, 'in-the-way');
    writeFileSync(inTheWay, '');
    const { code, stderr } = await runLoopfuse(['gateway', '--port', '0', '--journal', join(inTheWay, 'journal')]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^error: gateway: --journal: ".*journal" cannot be written to: ENOTDIR.*\n$/);
  });

  it('says that its place is taken, and what a store looks like', async () => {
    const { child, url } = await serve([]);
    const { port } = new URL(url);
    const taken = await runLoopfuse(['gateway', '--port', port]);
    expect(taken).toMatchObject({ code: 1, stdout: '' });
    // Before the first build it also says that there is no live page.
    expect(taken.stderr).toMatch(
      new RegExp(
        `^error: port ${port} of 127.0.0.1 is in use. Choose another with --port, or stop the program that uses it.$`,
        'm',
      ),
    );
    await end(child, 'SIGTERM');
    const { code, stderr } = await runLoopfuse(['gateway', '--store', 'foo:']);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^error: gateway: --store: expected memory:, disk:FOLDER or redis/);
  });

  it('says how agents and people get there, and keeps the passwords of its store to itself', async () => {
    const env = { ...cleanEnv, LOOPFUSE_GATEWAY_TOKEN: 'token-4711' };
    const { child, url, said } = await serve(['--store', 'redis://me:secret-4711@127.0.0.1:9'], env);
    await vi.waitFor(() => expect(said()).toContain(`OPENAI_BASE_URL=${url}/~TOKEN/v1`), { timeout: 15_000 });
    await end(child, 'SIGTERM');
    expect(said()).not.toContain('4711');
  });

  it('says what an upstream looks like', () => {
    expect(parseUpstreams(['openai=http://a.example/x'])).toEqual({ openai: new URL('http://a.example/x') });
    for (const wrong of ['openai', 'other=http://a.example', 'openai=ftp://a.example', '=', 'openai=nowhere'])
      expect(() => parseUpstreams([wrong])).toThrow(/for example openai=https/);
    for (const lost of ['https://me:secret@a.example', 'https://a.example?api-version=3', 'https://a.example#x'])
      expect(() => parseUpstreams([`openai=${lost}`])).toThrow(/openai: expected an address without a user, a query/);
    expect(() => parseUpstreams(['openai=https://me:secret@a.example'])).not.toThrow(/secret/);
  });
});
