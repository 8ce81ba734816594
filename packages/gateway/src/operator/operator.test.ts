import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readSessions } from '@loopfuse/formats';
import { loopsForever, startModelServer } from '@loopfuse/model-server';
import { memoryStore } from '@loopfuse/store';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createGateway, type Gateway } from '../gateway.js';
import type { GatewayOptions } from '../gateway-options.js';
import { type Listener, listen } from '../listen.js';
import { driveAgent } from '../testing/drive-agent.js';
import type { LiveSession } from './live.js';
import { createOperator, type Operator, type OperatorOptions } from './operator.js';

const page = `<!doctype html><meta http-equiv="Content-Security-Policy" content="default-src 'none'; connect-src 'self'"><meta name="loopfuse-page" content="loopfuse-page-secret">`;
const headers = { 'x-loopfuse-session': 'one' };

let model: Awaited<ReturnType<typeof startModelServer>>;
let folder: string;
let gateway: Gateway;
let operator: Operator;
let listener: Listener;

async function start(options: OperatorOptions = {}, guarded: GatewayOptions = {}, token?: string): Promise<void> {
  operator = createOperator({ page, token, ...options });
  const upstream = new URL(model.url);
  gateway = createGateway({
    upstreams: { openai: upstream, anthropic: upstream, gemini: upstream },
    onEvent: operator.onEvent,
    emitObserved: true,
    ...guarded,
  });
  listener = await listen(operator.handle(gateway), token === undefined ? {} : { token });
}

beforeEach(async () => {
  model = await startModelServer({ script: loopsForever() });
  folder = mkdtempSync(join(tmpdir(), 'loopfuse-operator-'));
});

afterEach(async () => {
  await listener.close();
  await operator.close();
  await gateway.close();
  await model.close();
  rmSync(folder, { recursive: true, force: true });
});

const drive = (rounds: number) =>
  driveAgent({ url: listener.url, protocol: 'openai-chat', stream: true, rounds, headers });

async function secret(): Promise<string> {
  const text = await (await fetch(`${listener.url}/`)).text();
  return /name="loopfuse-page" content="([^"]+)"/.exec(text)![1]!;
}

async function ask(path: string, init: RequestInit = {}): Promise<Response> {
  const own = { 'x-loopfuse-page': await secret(), origin: listener.url };
  return fetch(`${listener.url}/-/sessions${path}`, { ...init, headers: { ...own, ...init.headers } });
}

const act = (key: string, action: string, body: object = {}) =>
  ask(`/${encodeURIComponent(key)}/${action}`, { method: 'POST', body: JSON.stringify(body) });

async function session(): Promise<LiveSession> {
  const { sessions } = (await (await ask('')).json()) as { sessions: LiveSession[] };
  expect(sessions.length).toBe(1);
  return sessions[0]!;
}

describe.each([
  ['in this process', () => ({})],
  ['in a store', () => ({ store: memoryStore() })],
])('whoever runs a gateway with its sessions %s', (_, options) => {
  it('sees the sessions, why they were stopped, and what happened last', async () => {
    await start({}, options());
    await drive(20);
    const one = await session();
    expect(one).toMatchObject({ circuit: 'open', disabled: false });
    expect(one.loops).toBeGreaterThan(0);
    expect(one.stopped).not.toBe('');
    const detail = (await (await ask(`/${encodeURIComponent(one.key)}`)).json()) as {
      marks: { type: string }[];
      evidence: { status: string; explanation: string }[];
    };
    expect(detail.evidence.some(({ status }) => status === 'looping')).toBe(true);
    expect(new Set(detail.marks.map(({ type }) => type))).toEqual(
      new Set(['prompt', 'tool-call', 'tool-result', 'finding', 'action']),
    );
  });

  it('lets a stopped agent go on, with a hint that the model gets', async () => {
    await start({}, options());
    await drive(20);
    const { key } = await session();
    expect((await act(key, 'hint', { text: 'Look into the other folder.' })).status).toBe(200);
    expect((await session()).stopped).toBe('');
    const before = model.requests.length;
    const { answers } = await drive(1);
    expect(answers[0]!.status).toBe(200);
    expect(JSON.stringify(model.requests.slice(before))).toContain(
      '[Message from the person who supervises this run] Look into the other folder.',
    );
  });

  it('switches the guard off, or one tool', async () => {
    await start({}, options());
    await drive(20);
    const { key } = await session();
    expect((await act(key, 'exempt', { tool: 'read_file' })).status).toBe(200);
    expect((await act(key, 'disable')).status).toBe(200);
    expect(await session()).toMatchObject({ disabled: true, stopped: '' });
    expect((await drive(15)).calls).toBe(15);
  });

  it('stops an agent that does not loop, until somebody lets it go on', async () => {
    await start({}, options());
    await drive(1);
    const { key } = await session();
    expect((await act(key, 'stop', { text: 'It is late.' })).status).toBe(200);
    const { answers, calls } = await drive(3);
    expect(calls).toBe(0);
    expect(answers[0]!.text).toBe('Whoever supervises this run stopped it in Loopfuse. It is late.');
    expect((await drive(1)).answers[0]!.status).toBe(400);
    expect((await act(key, 'continue')).status).toBe(200);
    expect((await drive(1)).calls).toBe(1);
  });
});

describe('the page', () => {
  it('is served with a policy that lets it reach nothing but this gateway, and into no frame', async () => {
    await start();
    const { headers: got } = await fetch(`${listener.url}/`);
    expect(got.get('content-security-policy')).toBe("default-src 'none'; connect-src 'self'; frame-ancestors 'none'");
    expect(got.get('x-frame-options')).toBe('DENY');
    expect(got.get('cache-control')).toBe('no-store');
  });

  it.each<[string, Record<string, string>]>([
    ['without its secret', {}],
    ['with another secret', { 'x-loopfuse-page': 'x'.repeat(32) }],
    ['from another page', { origin: 'https://evil.example' }],
    ['from a page without an origin', { origin: 'null' }],
  ])('is the only one that may act: not a request %s', async (_, given) => {
    await start();
    await drive(1);
    const { key } = await session();
    const own = given.origin === undefined ? {} : { 'x-loopfuse-page': await secret() };
    const answer = await fetch(`${listener.url}/-/sessions/${encodeURIComponent(key)}/stop`, {
      method: 'POST',
      headers: { ...own, ...given },
    });
    expect(answer.status).toBe(403);
    expect((await session()).stopped).toBe('');
  });

  it('of gateways with one token has one secret, and is reached with the token before the path', async () => {
    await start({}, {}, 'a token of the team');
    expect((await fetch(`${listener.url}/`)).status).toBe(401);
    expect((await fetch(`${listener.url}/metrics`)).status).toBe(401);
    const base = `${listener.url}/~${encodeURIComponent('a token of the team')}`;
    const text = await (await fetch(`${base}/`)).text();
    const [, own] = /name="loopfuse-page" content="([^"]+)"/.exec(text)!;
    const other = await createOperator({ page, token: 'a token of the team' }).handle(gateway)(
      new Request('http://localhost/'),
    );
    expect(await other.text()).toContain(own);
    expect((await fetch(`${base}/-/sessions`, { headers: { 'x-loopfuse-page': own! } })).status).toBe(200);
  });

  it('gets a clear answer to what makes no sense', async () => {
    await start();
    await drive(1);
    const { key } = await session();
    expect((await act(key, 'explode')).status).toBe(400);
    expect((await act(key, 'hint')).status).toBe(400);
    expect((await act(key, 'exempt', { tool: 3 })).status).toBe(400);
    expect((await act('no such session', 'continue')).status).toBe(404);
    expect((await ask(`/${key}/stop`)).status).toBe(405);
    expect((await ask('/%E0%A4%A')).status).toBe(200);
  });
});

describe('metrics and health', () => {
  it('count requests, loops and what was done about them, with labels from fixed lists', async () => {
    await start();
    await drive(20);
    const text = await (await fetch(`${listener.url}/metrics`)).text();
    const value = (line: string) =>
      Number(
        text
          .split('\n')
          .find((one) => one.startsWith(line))
          ?.split(' ')
          .at(-1),
      );
    expect(value('loopfuse_requests_total{status="2xx"}')).toBeGreaterThan(3);
    expect(value('loopfuse_findings_total{kind="repeated-calls",status="looping"}')).toBeGreaterThan(0);
    expect(value('loopfuse_actions_total{action="stop"}')).toBeGreaterThan(0);
    expect(value('loopfuse_findings_total{kind="chanting",status="looping"}')).toBe(0);
    expect(value('loopfuse_store_up')).toBe(1);
    expect(text).not.toMatch(/read_file|main function/);
  });

  it('say that the store is down, and answer all the same', async () => {
    const fault = {
      where: 'store',
      store: 'redis',
      operation: 'load',
      message: 'gone',
      suppressed: 0,
      cause: 0,
    } as const;
    await start({ health: () => ({ state: 'degraded', since: 0, fault }) });
    const answer = await fetch(`${listener.url}/healthz`);
    expect([answer.status, await answer.json()]).toEqual([
      200,
      { status: 'ok', store: { state: 'degraded', message: 'gone' } },
    ]);
    expect(await (await fetch(`${listener.url}/metrics`)).text()).toContain('loopfuse_store_up 0');
  });
});

describe('the journal', () => {
  it('is a trace that readers of sessions read, for its user alone', async () => {
    await start({ journal: folder });
    await drive(20);
    await operator.close();
    const [day] = readdirSync(folder);
    const [name] = readdirSync(join(folder, day!));
    const file = join(folder, day!, name!);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const seen: string[] = [];
    const faults: unknown[] = [];
    await readSessions(file, {
      onSession: ({ id }) => void seen.push(`session ${id}`),
      onEvent: ({ type }) => void seen.push(type),
      onEnd: () => {},
      onFault: (fault) => void faults.push(fault),
    });
    expect(faults).toEqual([]);
    expect(seen[0]).toBe('session one');
    expect(seen.filter((type) => type === 'tool-call').length).toBeGreaterThan(2);
    expect(seen).toContain('steer');
    expect(readFileSync(file, 'utf8')).toContain('[stop]');
  });

  it('that cannot be written stops nothing', async () => {
    const faults: string[] = [];
    await start({ journal: '/dev/null/nowhere', onFault: (message) => faults.push(message) });
    expect((await drive(2)).calls).toBe(2);
    await operator.close();
    expect(faults[0]).toContain('the journal could not be written');
  });
});
