import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ladder, policies } from 'loopfuse';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import {
  chants,
  cutsTheStream,
  fails,
  innocent,
  loopsForever,
  recoversAfterSteer,
  type Script,
  say,
  sequence,
  stalls,
} from '../../../testkit/src/model-server/index.js';
import { releasesFor } from '../guard/loop-report.js';
import type { Judge, JudgeContext } from '../judge.js';
import { loadSession } from '../session/session-file.js';
import { collect, eventsOf, scriptedAgent } from '../testing/scripted-agent.js';
import type { TraceEvent } from '../trace.js';
import { type ClientEvent, clientEventTypes, unhandled } from './client-event.js';

const call = (tool: string, input: object) => ({ call: { tool, input: input as never } });
const read = (path: string) => call('read_file', { path });
const types = (events: readonly ClientEvent[]) => events.map(({ type }) => type);

describe('a request', () => {
  test('sends every step from the first word to the last event', async () => {
    const script = sequence([
      { parts: [{ reasoning: 'Look first.' }, { text: 'Reading.' }, read('README.md')], pace: { cut: 'whole' } },
      { ...say('It adds.'), pace: { cut: 'whole' } },
    ]);
    const { client, server } = await scriptedAgent(script);
    const events = await collect(client.sendMessageStream('What is it?'));
    expect(types(events)).toEqual([
      'reasoning',
      'content',
      'tool-call-request',
      'token-usage',
      'tool-call-result',
      'content',
      'token-usage',
      'finished',
    ]);
    expect(eventsOf(events, 'tool-call-request')[0]).toMatchObject({ call: { tool: 'read_file' }, title: 'README.md' });
    expect(eventsOf(events, 'tool-call-result')[0]).toMatchObject({
      status: 'ok',
      output: expect.stringContaining('# Sample'),
    });
    expect(client.history.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant']);
    expect(server.requests[0]?.turn?.system).toContain('coding agent');
    expect(client.usage.inputTokens).toBeGreaterThan(0);
    expect(client.model).toEqual({ provider: 'openai-compatible.chat', model: 'local-model' });
    expect(client.context).toEqual({ tokens: expect.any(Number), limit: 128_000 });
    expect(client.context.tokens).toBeGreaterThan(0);
    expect(client.busy).toBe(false);
  });

  test('stores the time and the usage of each answer, which add up to the usage of the session', async () => {
    const { client } = await scriptedAgent(innocent());
    const before = Date.now();
    await collect(client.sendMessageStream('What is it?'));
    const answers = client.history.filter((message) => message.role === 'assistant');
    expect(answers.length).toBeGreaterThan(2);
    for (const { at } of answers) expect(at).toBeGreaterThanOrEqual(before);
    const inputs = answers.map(({ usage }) => usage?.inputTokens ?? 0);
    expect(inputs.reduce((sum, one) => sum + one, 0)).toBe(client.usage.inputTokens);
  });

  test('is the only one at a time', async () => {
    const { client } = await scriptedAgent(() => say('one two three'));
    const first = client.sendMessageStream('a');
    await first.next();
    await expect(client.sendMessageStream('b').next()).rejects.toThrow(/working on another request/);
    await collect(first);
    expect((await collect(client.sendMessageStream('c'))).at(-1)?.type).toBe('finished');
  });

  test('with an empty message is an error, and no request is sent', async () => {
    const { client, server } = await scriptedAgent(() => say('never'));
    expect(await collect(client.sendMessageStream(' \n'))).toEqual([
      { type: 'error', message: 'The message is empty.' },
    ]);
    expect([server.seen, client.history]).toEqual([0, []]);
  });

  test('is bounded in turns', async () => {
    let n = 0;
    const { client } = await scriptedAgent(() => ({ parts: [read(`file-${n++}.txt`), call('ls', {})] }), {
      options: { maxTurns: 4, disableDetection: true },
    });
    const events = await collect(client.sendMessageStream('go'));
    expect(events.at(-1)).toEqual({ type: 'max-turns', turns: 4 });
    expect(eventsOf(events, 'token-usage').length).toBe(4);
    expect((await collect(client.continue())).at(-1)?.type).toBe('max-turns');
  });

  test('invalid calls get an error as result, and the model continues', async () => {
    const script = sequence([
      { parts: [call('no_such_tool', {}), call('read_file', { path: 3 }), call('functions.read', { a: 1 })] },
      say('Sorry.'),
    ]);
    const { client, server } = await scriptedAgent(script);
    const events = await collect(client.sendMessageStream('go'));
    expect(eventsOf(events, 'tool-call-result').map(({ status }) => status)).toEqual(['failed', 'failed', 'failed']);
    expect(events.at(-1)?.type).toBe('finished');
    expect(server.requests.some(({ problem }) => problem !== undefined)).toBe(false);
  });

  test('every kind of event is known by name, and an unknown one is reported', () => {
    expect(new Set(clientEventTypes).size).toBe(20);
    expect(unhandled({ type: 'brand-new' } as never)).toMatch(/"brand-new"/);
    expect(unhandled(undefined as never)).toMatch(/undefined/);
  });

  test('invalid options are refused', async () => {
    const { another } = await scriptedAgent(() => say(''));
    expect(() => another({ maxTurns: 0 })).toThrow(/maxTurns.*got 0/);
    expect(() => another({ compressAt: 2 })).toThrow(/compressAt.*got 2/);
    expect(() => another({ silenceSeconds: Infinity })).toThrow(/silenceSeconds.*got Infinity/);
    expect(() => another({ preset: 'nobody' as never })).toThrow(/preset must be one of balanced, .*"nobody"/);
    expect(() => another({ root: '/no/such/folder' })).toThrow(/no folder/);
  });
});

describe('a loop under the ladder', () => {
  test('is first reported to the model, at the end of the history, and a model that recovers can finish', async () => {
    const { client, server } = await scriptedAgent(recoversAfterSteer());
    const events = await collect(client.sendMessageStream('go'));
    const [steered] = eventsOf(events, 'loop-steered');
    expect(steered).toMatchObject({
      kind: 'repeated-calls',
      title: 'Repeated calls',
      explanation: expect.stringContaining('read_file'),
    });
    expect(events.at(-1)?.type).toBe('finished');
    expect(client.halted).toBeUndefined();
    const bodies = server.requests.map(({ body }) => (body as { messages: unknown[] }).messages);
    const [before, after] = bodies.slice(-2) as [unknown[], unknown[]];
    expect(after.slice(0, before.length)).toEqual(before);
    expect(JSON.stringify(after.at(-1))).toContain('[Loop guard]');
  });

  test('that continues: a call is refused with the reason as its result, then the run stops', async () => {
    const { client } = await scriptedAgent(loopsForever(), { options: { policy: policies.unattended.make() } });
    const events = await collect(client.sendMessageStream('go'));
    expect(eventsOf(events, 'loop-steered').map(({ decision }) => decision.type)).toEqual(['steer', 'block']);
    const [blocked] = eventsOf(events, 'tool-call-result').filter(({ status }) => status === 'blocked');
    expect(blocked?.output).toContain('Calling it again will bring the same answer');
    expect(eventsOf(events, 'loop-steered')[1]?.blocked).toBe(blocked?.id);
    expect(events.at(-1)).toMatchObject({ type: 'loop-detected', decision: { type: 'stop' } });
  });

  test('a chant that is cut off counts as far as it was written', async () => {
    const { client } = await scriptedAgent(chants({ pace: { cut: 24 } }), {
      options: { policy: ladder({ steers: 1, last: 'stop' }) },
    });
    const events = await collect(client.sendMessageStream('go'));
    const cutAt = events.findIndex(({ type }) => type === 'loop-steered');
    const written = eventsOf(events.slice(0, cutAt), 'content').reduce((sum, { text }) => sum + text.length, 0);
    const [paid] = eventsOf(events.slice(cutAt), 'token-usage');
    expect(paid).toMatchObject({ estimated: true });
    expect(paid?.usage.outputTokens).toBeGreaterThanOrEqual(written / 4);
  });

  test('has history, file and log complete before the event is sent', async () => {
    const { client, sessionFile, log } = await scriptedAgent(loopsForever());
    for await (const event of client.sendMessageStream('go')) {
      if (event.type !== 'loop-detected') continue;
      const [results, feedback] = client.history.slice(-2);
      expect(results).toMatchObject({
        role: 'tool',
        results: [{ status: 'not-run', output: expect.stringMatching(/not executed/) }],
      });
      expect(feedback).toMatchObject({ role: 'user', from: 'guard', text: expect.stringContaining(event.explanation) });
      expect(event.dropped).toEqual(results?.role === 'tool' ? results.results.map(({ id }) => id) : []);
      expect((await loadSession(sessionFile)).history).toEqual(client.history);
      expect(log.filter(({ level }) => level === 'warn')).toEqual([
        { level: 'warn', message: expect.stringMatching(/^Loop detected \(repeated-calls\): .*read_file/) },
      ]);
    }
    expect(client.halted).toMatchObject({
      kind: 'repeated-calls',
      choices: ['stop', 'continue', 'hint', 'exempt', 'disable'],
    });
  });

  test('the event contains what a dialog shows', async () => {
    const { client } = await scriptedAgent(loopsForever());
    const events = await collect(client.sendMessageStream('go'));
    expect(events.at(-1)).toMatchObject({
      type: 'loop-detected',
      kind: 'repeated-calls',
      explanation: 'The call read_file (README.md) was made 3 times in a row, with the same result each time.',
      evidence: { times: 3 },
      waste: { calls: expect.any(Number), tokens: expect.any(Number) },
      decision: { type: 'ask' },
      resumes: true,
    });
  });
});

describe('a halted request', () => {
  const halted = async (script: Script = loopsForever()) => {
    const agent = await scriptedAgent(script);
    const events = await collect(agent.client.sendMessageStream('go', undefined, 'p1'));
    expect(events.at(-1)?.type).toBe('loop-detected');
    return agent;
  };
  const calls = (events: readonly ClientEvent[]) => eventsOf(events, 'tool-call-request').length;

  test('stays halted until the user decides', async () => {
    const { client, server } = await halted();
    const asked = server.seen;
    expect(types(await collect(client.sendMessageStream('again', undefined, 'p1')))).toEqual(['loop-detected']);
    expect(server.seen).toBe(asked);
  });

  test('after an exemption the model does not read that it went in circles, whatever the user did meanwhile', async () => {
    const { client } = await halted();
    client.tell('Edits were undone by the user.');
    expect(client.decide('exempt')).toBe(true);
    const texts = client.history.flatMap((message) => (message.role === 'user' ? [message.text] : []));
    expect(texts).toEqual(['go', 'Edits were undone by the user.']);
  });

  test('continues once, and can trip again', async () => {
    const { client } = await halted();
    client.release({ type: 'continue' });
    expect(client.halted).toBeUndefined();
    const events = await collect(client.continue());
    expect(calls(events)).toBeGreaterThan(1);
    expect(events.at(-1)?.type).toBe('loop-detected');
  });

  test('continues with a hint that the model sees', async () => {
    const { client, server } = await halted(recoversAfterSteer({ marker: 'other file' }));
    const events = await collect(client.continue(undefined, 'Look at the other file.'));
    expect(events.at(-1)?.type).toBe('finished');
    expect(server.requests.at(-1)?.turn?.messages.at(-1)?.text).toContain('Look at the other file.');
  });

  test('is released by the choice of the user', async () => {
    const { client } = await halted();
    expect(releasesFor('stop', client.halted!)).toEqual([]);
    expect(releasesFor('hint', client.halted!)).toEqual([{ type: 'hint' }]);
    expect(releasesFor('exempt', client.halted!)).toEqual([{ type: 'exempt', tool: 'read_file' }]);
  });

  test('continues without flagging the tool again', async () => {
    const { client } = await halted(loopsForever({ rounds: 12 }));
    client.release({ type: 'exempt', tool: 'read_file' });
    const events = await collect(client.continue());
    expect(events.filter(({ type }) => type.startsWith('loop'))).toEqual([]);
    expect(events.at(-1)?.type).toBe('finished');
  });

  test('continues unwatched when detection is switched off', async () => {
    const traces: TraceEvent[] = [];
    const agent = await scriptedAgent(loopsForever({ rounds: 12 }), {
      options: { trace: (event) => traces.push(event) },
    });
    await collect(agent.client.sendMessageStream('go'));
    agent.client.release({ type: 'disable' });
    expect((await collect(agent.client.continue())).at(-1)?.type).toBe('finished');
    expect(
      (await collect(agent.client.sendMessageStream('once more'))).filter(({ type }) => type.startsWith('loop')),
    ).toEqual([]);
    expect(traces.filter(({ type }) => type === 'detection-disabled').length).toBe(1);
  });

  test.each([
    ['exempt', { type: 'exempt', tool: 'read_file' }, false],
    ['disable', { type: 'disable' }, false],
    ['continue', { type: 'continue' }, true],
  ] as const)('after %s the model is told that it went in circles: %j', async (_, release, isTold) => {
    const { client, server } = await halted(loopsForever({ rounds: 12 }));
    client.release(release);
    await collect(client.continue());
    const sent = JSON.stringify(server.requests.map(({ turn }) => turn?.messages));
    expect(sent.includes('was halted because it went in circles')).toBe(isTold);
  });

  test('does not affect a new request', async () => {
    const { client } = await halted();
    const events = await collect(client.sendMessageStream('something else', undefined, 'p2'));
    expect(calls(events)).toBeGreaterThan(1);
    expect(events.at(-1)?.type).toBe('loop-detected');
  });

  test('without a request there is nothing to continue', async () => {
    const { client } = await scriptedAgent(() => say(''));
    await expect(client.continue().next()).rejects.toThrow(/no request/);
  });
});

describe('the judge', () => {
  const opinion = (confidence: number) =>
    ({ type: 'opinion', by: 'test', confidence, analysis: 'It goes round.' }) as const;

  test('is asked before every turn, with the request, the history and what was seen', async () => {
    const seen: JudgeContext[] = [];
    const judge: Judge = {
      spending: { calls: 1, inputTokens: 10, outputTokens: 5 },
      async consult(context) {
        seen.push(context);
        return context.turn === 2 ? opinion(0.1) : undefined;
      },
    };
    const script = sequence([{ parts: [read('README.md')] }, { parts: [read('package.json')] }, say('Done.')]);
    const { client } = await scriptedAgent(script, { options: { judge } });
    const events = await collect(client.sendMessageStream('Find it.', undefined, 'p'));
    expect(seen.map(({ turn, request, promptId }) => [turn, request, promptId])).toEqual([
      [1, 'Find it.', 'p'],
      [2, 'Find it.', 'p'],
      [3, 'Find it.', 'p'],
    ]);
    expect(seen[1]?.history.length).toBe(3);
    expect(eventsOf(events, 'judge-consulted')).toEqual([
      { type: 'judge-consulted', opinion: opinion(0.1), spending: judge.spending },
    ]);
    expect(events.at(-1)?.type).toBe('finished');
  });

  test('that is sure halts the run before the model is asked', async () => {
    const judge: Judge = { consult: async ({ turn }) => (turn >= 2 ? opinion(0.99) : undefined) };
    const { client, server } = await scriptedAgent(sequence([{ parts: [read('README.md')] }]), {
      options: { judge, policy: policies.stop.make() },
    });
    const events = await collect(client.sendMessageStream('go'));
    expect(events.at(-1)).toMatchObject({
      type: 'loop-detected',
      kind: 'judged',
      explanation: expect.stringContaining('It goes round.'),
    });
    expect(server.seen).toBe(1);
  });

  test('receives every event after the guard, and is kept with the session', async () => {
    const received: string[] = [];
    const judge: Judge = {
      consult: async () => undefined,
      observe: (event, findings) => received.push(findings.length === 0 ? event.type : `${event.type}!`),
      snapshot: () => ({ received: received.length }),
    };
    const { client, sessionFile } = await scriptedAgent(loopsForever(), { options: { judge } });
    await collect(client.sendMessageStream('go'));
    expect(received.slice(0, 5)).toEqual(['prompt', 'turn-start', 'tool-call', 'usage', 'turn-end']);
    expect(received).toContain('tool-result!');
    expect(received).toContain('steer');
    expect((await loadSession(sessionFile)).judge).toEqual({ received: received.length });
  });

  test('that throws while observing does no harm', async () => {
    const judge: Judge = {
      consult: async () => undefined,
      observe: () => {
        throw new Error('no pen');
      },
    };
    const { client } = await scriptedAgent(() => say('Fine.'), { options: { judge } });
    expect((await collect(client.sendMessageStream('go'))).at(-1)?.type).toBe('finished');
  });

  test.each<[string, unknown, string]>([
    ['null', null, ''],
    ['a text', 'It loops.', 'an event must be an object'],
    ['a confidence in words', { ...opinion(1), confidence: '0.95' }, 'must be a number'],
    ['a confidence of 20', opinion(20), 'from 0 to 1, got 20'],
    ['a confidence that is no number', opinion(Number.NaN), 'from 0 to 1, got NaN'],
    ['another event', { type: 'prompt', text: 'Delete it all.' }, 'an event of type "prompt"'],
  ])('that gives %s instead of an opinion does not stop the agent', async (_, given, problem) => {
    const judge: Judge = { consult: async () => given as never };
    const { client } = await scriptedAgent(() => say('Fine.'), { options: { judge } });
    const events = await collect(client.sendMessageStream('hello'));
    expect(events.at(-1)).toEqual({ type: 'finished', reason: 'stop' });
    const failures = eventsOf(events, 'judge-failed').map(({ message }) => message);
    expect(failures).toEqual(problem === '' ? [] : [expect.stringContaining(problem)]);
    expect(eventsOf(events, 'judge-consulted')).toEqual([]);
  });

  test('whose state cannot be saved does not keep the session from being saved', async () => {
    const judge: Judge = {
      consult: async () => undefined,
      snapshot() {
        throw new Error('no state today');
      },
    };
    const { client, sessionFile, log } = await scriptedAgent(() => say('Fine.'), { options: { judge } });
    await collect(client.sendMessageStream('hello'));
    expect((await loadSession(sessionFile)).history).toHaveLength(2);
    expect(log).toContainEqual({ level: 'error', message: expect.stringContaining('no state today') });
  });

  test('that never answers times out, with a remark, and the turn continues', async () => {
    const signals: AbortSignal[] = [];
    const judge: Judge = {
      consult(_, signal) {
        signals.push(signal);
        queueMicrotask(() => {
          vi.advanceTimersByTime(60_000);
          vi.useRealTimers();
        });
        return new Promise(() => {});
      },
    };
    const { client } = await scriptedAgent(() => say('Fine.'), { options: { judge } });
    onTestFinished(() => void vi.useRealTimers());
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const events = await collect(client.sendMessageStream('hello'));
    expect(events.at(-1)).toEqual({ type: 'finished', reason: 'stop' });
    expect(eventsOf(events, 'judge-failed').map(({ message }) => message)).toEqual([
      'it did not answer within 60 seconds',
    ]);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  });

  test('that fails gives no opinion, and the run continues', async () => {
    const judge: Judge = { consult: () => Promise.reject(new Error('no judge today')) };
    const { client, log } = await scriptedAgent(() => say('Fine.'), { options: { judge } });
    expect((await collect(client.sendMessageStream('go'))).at(-1)?.type).toBe('finished');
    expect(log).toContainEqual({ level: 'warn', message: expect.stringContaining('no judge today') });
  });
});

describe('cancelling', () => {
  test('in the middle of the stream keeps what was said', async () => {
    const controller = new AbortController();
    const { client, server, sessionFile } = await scriptedAgent(
      stalls({ after: 5, times: 1, afterwards: () => say('one two three four five six') }),
    );
    const events: ClientEvent[] = [];
    for await (const event of client.sendMessageStream('go', controller.signal)) {
      events.push(event);
      if (event.type === 'content') controller.abort();
      if (event.type !== 'user-cancelled') continue;
      expect(client.history.at(-1)).toMatchObject({ role: 'assistant', interrupted: true });
      expect((await loadSession(sessionFile)).history).toEqual(client.history);
    }
    expect(events.at(-1)).toEqual({ type: 'user-cancelled' });
    expect((await collect(client.sendMessageStream('again'))).at(-1)?.type).toBe('finished');
    expect(server.requests[0]?.delivery).toBe('gone');
  });

  test('before the first word', async () => {
    const controller = new AbortController();
    const { client } = await scriptedAgent(stalls());
    setTimeout(() => controller.abort(), 50);
    expect(types(await collect(client.sendMessageStream('go', controller.signal)))).toEqual(['user-cancelled']);
    expect(types(await collect(client.sendMessageStream('go', AbortSignal.abort())))).toEqual(['user-cancelled']);
  });

  test('before a judge call: a judge that never answers is not consulted', async () => {
    const consult = vi.fn(() => new Promise<undefined>(() => {}));
    const { client, server } = await scriptedAgent(() => say('never'), { options: { judge: { consult } } });
    expect(types(await collect(client.sendMessageStream('go', AbortSignal.abort())))).toEqual(['user-cancelled']);
    expect(consult).not.toHaveBeenCalled();
    expect(server.seen).toBe(0);
  });

  test('in the middle of a judge call', async () => {
    const controller = new AbortController();
    const judge: Judge = {
      consult: () => {
        controller.abort();
        return new Promise(() => {});
      },
    };
    const { client, server } = await scriptedAgent(() => say('never'), { options: { judge } });
    expect(types(await collect(client.sendMessageStream('go', controller.signal)))).toEqual(['user-cancelled']);
    expect(server.seen).toBe(0);
  });

  test('in the middle of a tool run ends the tool, and every call has its result', async () => {
    const controller = new AbortController();
    const shell = call('run_shell_command', { command: 'echo begun; sleep 1000' });
    const { client, server } = await scriptedAgent(sequence([{ parts: [shell, read('README.md')] }, say('I see.')]));
    const events: ClientEvent[] = [];
    for await (const event of client.sendMessageStream('go', controller.signal)) {
      events.push(event);
      if (event.type === 'tool-call-output') controller.abort();
    }
    expect(events.at(-1)).toEqual({ type: 'user-cancelled' });
    expect(client.history.at(-1)).toMatchObject({
      role: 'tool',
      results: [{ status: 'cancelled', output: 'begun\nCancelled by the user.' }, { status: 'not-run' }],
    });
    expect((await collect(client.continue())).at(-1)?.type).toBe('finished');
    expect(server.requests.some(({ problem }) => problem !== undefined)).toBe(false);
  });

  test('while the user is being asked', async () => {
    const controller = new AbortController();
    const { client } = await scriptedAgent(sequence([{ parts: [call('run_shell_command', { command: 'ls' })] }]), {
      options: {
        approval: 'ask',
        approve: () => {
          controller.abort();
          return new Promise(() => {});
        },
      },
    });
    expect((await collect(client.sendMessageStream('go', controller.signal))).at(-1)?.type).toBe('user-cancelled');
    expect(client.history.at(-1)).toMatchObject({ role: 'tool', results: [{ status: 'not-run' }] });
  });

  test.each(['content', 'tool-call-request', 'tool-call-output', 'token-usage', 'tool-call-result'] as const)(
    'leaving the events at %s leaves a valid history and a saved session',
    async (type) => {
      const script = sequence([
        {
          parts: [
            { text: 'Hello there.' },
            call('run_shell_command', { command: 'echo a; sleep 0.1; echo b' }),
            read('README.md'),
          ],
        },
        say('Done.'),
      ]);
      const { client, server, sessionFile } = await scriptedAgent(script);
      for await (const event of client.sendMessageStream('go')) if (event.type === type) break;
      expect(client.busy).toBe(false);
      expect((await loadSession(sessionFile)).history).toEqual(client.history);
      expect((await collect(client.continue())).at(-1)?.type).toBe('finished');
      expect(server.requests.some(({ problem }) => problem !== undefined)).toBe(false);
    },
  );
});

describe('when the model cannot be asked', () => {
  test('the error says why, without the key, and the next request works', async () => {
    const { client, server, log, sessionFile } = await scriptedAgent(
      fails(401, { message: 'bad key test-key-of-the-scripted-agent' }),
    );
    const events = await collect(client.sendMessageStream('go'));
    expect(events).toEqual([
      { type: 'error', message: expect.stringMatching(/^bad key \[secret\]\. .*rejected the key/), status: 401 },
    ]);
    expect(JSON.stringify(log)).not.toContain('test-key');
    server.setScript(() => say('Back.'));
    expect((await collect(client.sendMessageStream('again'))).at(-1)?.type).toBe('finished');
    expect(readFileSync(sessionFile, 'utf8')).not.toContain('test-key');
  });

  test('a stream that is cut off keeps what was received, and the request can be continued', async () => {
    const { client } = await scriptedAgent(
      cutsTheStream({ after: 4, times: 1, afterwards: () => say('one two three four five') }),
    );
    const events = await collect(client.sendMessageStream('go'));
    expect(events.at(-1)?.type).toBe('error');
    expect(client.history.at(-1)).toMatchObject({ role: 'assistant', interrupted: true });
    expect((await collect(client.continue())).at(-1)?.type).toBe('finished');
  });

  test('a model that stays silent ends the request', async () => {
    const { client } = await scriptedAgent(stalls({ after: 3, afterwards: () => say('one two three four') }), {
      options: { silenceSeconds: 0.3 },
    });
    expect((await collect(client.sendMessageStream('go'))).at(-1)).toEqual({
      type: 'error',
      message: 'The model was silent for 0.3 seconds.',
    });
  });

  test('the pause before a request is sent again is not silence of the model', async () => {
    const refuses = fails(429, { times: 1, message: 'Slow down.', headers: { 'retry-after-ms': '900' } });
    const { client } = await scriptedAgent(refuses, { options: { silenceSeconds: 0.6 } });
    expect((await collect(client.sendMessageStream('go'))).at(-1)).toEqual({ type: 'finished', reason: 'stop' });
  });

  test('the address of an unreachable server is named', async () => {
    const { client, server } = await scriptedAgent(() => say(''), { options: { retries: 1 } });
    await server.close();
    const [event] = (await collect(client.sendMessageStream('go'))).slice(-1);
    expect(event).toMatchObject({
      type: 'error',
      message: expect.stringMatching(/connect.*tried 2 times\. No answer from http:\/\/127\.0\.0\.1:\d+: check that/),
    });
  });

  test('a retry is reported before its pause, and the answer follows', async () => {
    const refuses = fails(429, { times: 2, message: 'Slow down.', headers: { 'retry-after-ms': '20' } });
    const { client, server } = await scriptedAgent(refuses);
    const events = await collect(client.sendMessageStream('go'));
    expect(eventsOf(events, 'warning').map(({ message }) => message)).toEqual([
      `${server.url} answered 429 (Slow down). Trying again in 1 s: try 2 of 3.`,
      `${server.url} answered 429 (Slow down). Trying again in 1 s: try 3 of 3.`,
    ]);
    expect(events.at(-1)).toEqual({ type: 'finished', reason: 'stop' });
    expect(server.seen).toBe(3);
  });

  test('cancelled in the pause before it is sent again', async () => {
    const { client, server } = await scriptedAgent(fails(503, { headers: { 'retry-after': '50' } }));
    const cancel = new AbortController();
    const events: ClientEvent[] = [];
    for await (const event of client.sendMessageStream('go', cancel.signal)) {
      events.push(event);
      if (event.type === 'warning') cancel.abort();
    }
    expect(events).toEqual([
      { type: 'warning', message: expect.stringMatching(/answered 503 .*Trying again in 50 s: try 2 of 3\.$/) },
      { type: 'user-cancelled' },
    ]);
    expect(server.seen).toBe(1);
  });

  test.each([
    [404, /the name of the model/],
    [429, /too many requests/],
    [503, /the provider/],
    [418, /^no$/],
  ])('a refusal with %i says what can be done about it', async (status, words) => {
    const { client } = await scriptedAgent(fails(status, { message: 'no' }), { options: { retries: 0 } });
    expect((await collect(client.sendMessageStream('go'))).at(-1)).toEqual({
      type: 'error',
      message: expect.stringMatching(words),
      status,
    });
  });

  test('a session that cannot be saved is one warning in each request, and the work continues', async () => {
    const { root, another } = await scriptedAgent(innocent());
    const client = another({ sessionFile: join(root, 'README.md', 'session.json') });
    for (const message of ['go', 'and once more']) {
      const events = await collect(client.sendMessageStream(message));
      expect(eventsOf(events, 'warning')).toMatchObject([{ message: expect.stringContaining('could not be saved') }]);
      expect(events.at(-1)?.type).toBe('finished');
    }
  });

  test('a trace that throws does no harm', async () => {
    const { client } = await scriptedAgent(() => say('Fine.'), {
      options: {
        trace: () => {
          throw new Error('no telemetry');
        },
      },
    });
    expect((await collect(client.sendMessageStream('go'))).at(-1)?.type).toBe('finished');
  });
});

test('traces nest: every start has its end', async () => {
  const open: string[] = [];
  const seen: string[] = [];
  const trace = (event: TraceEvent) => {
    seen.push(event.type);
    if (event.type.endsWith('-start')) open.push(event.type.slice(0, -6));
    if (event.type.endsWith('-end')) expect(open.pop()).toBe(event.type.slice(0, -4));
  };
  const { client } = await scriptedAgent(loopsForever(), { options: { trace } });
  await collect(client.sendMessageStream('go'));
  expect(open).toEqual([]);
  expect(seen).toContain('loop-detected');
  expect(seen.filter((type) => type === 'tool-start').length).toBe(3);
});
