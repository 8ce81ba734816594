import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ladder } from 'loopfuse';
import { describe, expect, test } from 'vitest';
import { chants, repeatsItsContext, type Script, say } from '../../../testkit/src/model-server/index.js';
import { createModel, providerNames } from '../model/create-model.js';
import { loadSession } from '../session/session-file.js';
import { collect, eventsOf, scriptedAgent } from '../testing/scripted-agent.js';

const rewinding = { policy: ladder({ steers: 1, rewinds: 1, last: 'stop' }) };
const steering = { policy: ladder({ steers: 3, last: 'stop' }) };

describe.each(providerNames)('a model that repeats what stands in its context, through %s', (provider) => {
  test('does not recover after any number of messages', async () => {
    const { client, server } = await scriptedAgent(repeatsItsContext(), { provider, options: steering });
    const events = await collect(client.sendMessageStream('Why is the sum wrong?'));
    expect(eventsOf(events, 'loop-steered').length).toBe(3);
    expect(events.at(-1)?.type).toBe('loop-detected');
    expect(server.requests.map(({ problem }) => problem).filter(Boolean)).toEqual([]);
  });

  test('recovers when the loop is removed from its context', async () => {
    const { client, server, root, sessionFile } = await scriptedAgent(repeatsItsContext(), {
      provider,
      options: rewinding,
    });
    const before = readFileSync(join(root, 'README.md'), 'utf8');
    const events = await collect(client.sendMessageStream('Why is the sum wrong?'));
    expect(events.at(-1)).toEqual({ type: 'finished', reason: 'stop' });
    const [rewound, ...more] = eventsOf(events, 'loop-rewound');
    expect(more).toEqual([]);
    expect(rewound).toMatchObject({ tried: [{ tool: 'read_file' }], decision: { type: 'rewind' } });
    expect(server.requests.map(({ problem }) => problem).filter(Boolean)).toEqual([]);
    expect(client.history).toEqual((await loadSession(sessionFile)).history);
    expect(readFileSync(join(root, 'README.md'), 'utf8')).toBe(before);

    // Every request after the rewind begins as an earlier one did, message for message: the cached prefix holds.
    const sent = server.requests.map(({ turn }) => turn!.messages);
    const after = sent.findIndex((messages, at) => at > 0 && messages.length < sent[at - 1]!.length);
    const first = sent[1]!;
    expect(sent[after]!.slice(0, first.length)).toEqual(first);
  });

  test('removed rounds can be put back, also after a resume, and the provider accepts them', async () => {
    const { client, server, another, sessionFile } = await scriptedAgent(repeatsItsContext(), {
      provider,
      options: rewinding,
    });
    await collect(client.sendMessageStream('Why is the sum wrong?'));
    const session = await loadSession(sessionFile);
    const other = another({ session });
    const [takenOut] = other.takenOut;
    expect(other.restore('rewind-none')).toBe(false);
    expect(other.restore(takenOut!.id)).toBe(true);
    expect(other.takenOut).toEqual([]);
    const at = client.history.findIndex((message) => message.role === 'user' && message.takenOut !== undefined);
    expect(other.history.slice(at, at + takenOut!.messages.length)).toEqual(takenOut!.messages);
    const events = await collect(other.sendMessageStream('Say it again.'));
    expect(['finished', 'loop-detected']).toContain(events.at(-1)?.type);
    expect(server.requests.map(({ problem }) => problem).filter(Boolean)).toEqual([]);
  });
});

describe.each(providerNames)('a stronger model, through %s', (provider) => {
  /** The strong one looks elsewhere; the weak one goes on from there. */
  const byName: Script = (turn) => {
    const elsewhere = turn.messages.some(({ calls }) => calls.some(({ tool }) => tool === 'ls'));
    if (turn.model.includes('stronger')) return { parts: [{ call: { tool: 'ls', input: { path: 'src' } } }] };
    return elsewhere
      ? say('It adds a string.')
      : { parts: [{ call: { tool: 'read_file', input: { path: 'README.md' } } }] };
  };

  test('takes one turn, and then the model in use is back', async () => {
    const { server, another } = await scriptedAgent(byName, { provider });
    const url = `${server.url}/v1${provider === 'google' ? 'beta' : ''}`;
    const { model } = createModel({ provider, model: 'stronger-model', baseURL: url, apiKey: 'a-test-key' }, {});
    const client = another({ stronger: { model }, policy: ladder({ steers: 1, escalations: 1 }) });
    const events = await collect(client.sendMessageStream('Why is the sum wrong?'));
    expect(events.at(-1)).toEqual({ type: 'finished', reason: 'stop' });
    expect(eventsOf(events, 'loop-escalated')).toMatchObject([{ to: { model: 'stronger-model' } }]);
    expect(eventsOf(events, 'token-usage').filter(({ by }) => by?.model === 'stronger-model').length).toBe(1);
    const models = server.requests.map(({ turn }) => turn!.model);
    expect(models.filter((name) => name.includes('stronger')).length).toBe(1);
    expect(models.at(-1)).not.toContain('stronger');
    expect(
      client.history.filter((message) => message.role === 'assistant' && message.model !== undefined),
    ).toMatchObject([{ model: 'stronger-model' }]);
    expect(server.requests.map(({ problem }) => problem).filter(Boolean)).toEqual([]);
  });
});

test.each(providerNames)(
  'a stronger model that takes over from a chant through %s is asked by the user',
  async (provider) => {
    const script: Script = (turn) =>
      turn.model.includes('stronger') ? say('It adds a string.') : chants({ pace: { cut: 24 } })(turn);
    const { server, another } = await scriptedAgent(script, { provider });
    const url = `${server.url}/v1${provider === 'google' ? 'beta' : ''}`;
    const { model } = createModel({ provider, model: 'stronger-model', baseURL: url, apiKey: 'a-test-key' }, {});
    const client = another({ stronger: { model }, policy: ladder({ steers: 0, escalations: 1 }) });
    const events = await collect(client.sendMessageStream('Why is the sum wrong?'));
    expect(events.at(-1)).toEqual({ type: 'finished', reason: 'stop' });
    expect(server.requests.map(({ turn }) => turn!.messages.at(-1)?.role)).toEqual(['user', 'user']);
  },
);

test('without a stronger model an escalation changes nothing, and the next trip halts', async () => {
  const { client, log } = await scriptedAgent(repeatsItsContext(), {
    options: { policy: ladder({ steers: 0, escalations: 1 }) },
  });
  const events = await collect(client.sendMessageStream('Why is the sum wrong?'));
  expect(events.at(-1)?.type).toBe('loop-detected');
  expect(log.some(({ message }) => message.includes('none is set'))).toBe(true);
});
