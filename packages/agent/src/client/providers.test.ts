import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  alternates,
  chants,
  cycles,
  innocent,
  loopsForever,
  type Script,
  sameError,
  say,
  thinksInCircles,
} from '../../../testkit/src/model-server/index.js';
import { providerNames } from '../model/create-model.js';
import { loadSession } from '../session/session-file.js';
import { anyHistory } from '../testing/histories.js';
import { collect, eventsOf, scriptedAgent } from '../testing/scripted-agent.js';
import type { ClientEvent } from './client-event.js';

const loops: Readonly<Record<string, Script>> = {
  'the same call': loopsForever(),
  'two calls by turns': alternates(),
  'a cycle of three calls': cycles(3),
  'the same error': sameError(),
  chanting: chants({ pace: { cut: 24 } }),
  'circling thoughts': thinksInCircles({ times: 60, pace: { cut: 24 } }),
};

/** What a loop looked like from outside: when the model was told, when it was halted, and why. */
function course(events: readonly ClientEvent[]) {
  const seen = (until: ClientEvent['type']) => {
    const before = events.slice(0, events.findIndex(({ type }) => type === until) + 1);
    return {
      calls: eventsOf(before, 'tool-call-request').length,
      characters: [...eventsOf(before, 'content'), ...eventsOf(before, 'reasoning')].reduce(
        (sum, { text }) => sum + text.length,
        0,
      ),
    };
  };
  const halted = eventsOf(events, 'loop-detected')[0];
  return {
    told: seen('loop-steered'),
    halted: seen('loop-detected'),
    kind: halted?.kind,
    findings: halted?.findings.map(({ seq, onset }) => [seq, onset]),
    last: events.at(-1)?.type,
  };
}

describe.each(Object.entries(loops))('a loop: %s', (_, script) => {
  test('is reported and halted at the same event through every provider, and every request is valid', async () => {
    const courses: unknown[] = [];
    for (const provider of providerNames) {
      const { client, server } = await scriptedAgent(script, { provider });
      const events = await collect(client.sendMessageStream('Find out why the sum is wrong.', undefined, 'prompt'));
      expect(server.requests.map(({ problem }) => problem).filter(Boolean)).toEqual([]);
      courses.push(course(events));
    }
    expect(courses[0]).toMatchObject({ last: 'loop-detected' });
    for (const one of courses) expect(one).toEqual(courses[0]);
  });
});

test.each(providerNames)('work is left alone through %s', async (provider) => {
  const { client, server } = await scriptedAgent(innocent(), { provider });
  const events = await collect(client.sendMessageStream('Test the sum.'));
  expect(events.filter(({ type }) => type.startsWith('loop'))).toEqual([]);
  expect(events.at(-1)).toEqual({ type: 'finished', reason: 'stop' });
  expect(server.requests.map(({ problem }) => problem).filter(Boolean)).toEqual([]);
});

test.each(providerNames)(
  'attachments, notes and a message taken back make valid requests through %s',
  async (provider) => {
    const works: Script = ({ turn }) =>
      turn === 0 ? { parts: [{ text: 'I look.' }, { call: { tool: 'ls', input: {} } }] } : say('Seen.');
    const { client, server } = await scriptedAgent(works, { provider });
    const request = { text: 'What is it?', attachments: [{ path: 'a.ts', lines: [3, 3], text: 'sum' }] } as const;
    await collect(client.sendMessageStream('Hello'));
    await collect(client.sendMessageStream(request));
    const before = client.history.findLastIndex((message) => message.role === 'user');
    expect(client.takeBack()).toEqual(request);
    expect(client.history).toHaveLength(before);
    client.tell('Edits were undone by the user.');
    await collect(client.sendMessageStream(request));
    expect(client.takeBack()).toEqual(request);
    await collect(client.sendMessageStream('Something else'));
    expect(server.requests.map(({ problem }) => problem).filter(Boolean)).toEqual([]);
    const sent = server.requests.map(({ body }) => JSON.stringify(body));
    expect(sent.some((body) => body.includes('a.ts, line 3]\\n3→sum'))).toBe(true);
    expect(sent.at(-1)).toMatch(/Edits were undone by the user\..*Something else/);
    expect(sent.at(-1)).not.toContain('What is it?');
  },
);

test.each(providerNames)('what to do instead of a refused call reaches the model through %s', async (provider) => {
  const script: Script = ({ turn }) =>
    turn === 0 ? { parts: [{ call: { tool: 'run_shell_command', input: { command: 'npm i' } } }] } : say('Right.');
  const options = { approval: 'ask', approve: async () => ({ instead: 'Use pnpm.' }) } as const;
  const { client, server, sessionFile } = await scriptedAgent(script, { provider, options });
  const events = await collect(client.sendMessageStream('Install it.'));
  expect(eventsOf(events, 'tool-call-result')).toMatchObject([{ status: 'refused', instead: 'Use pnpm.' }]);
  expect(events.at(-1)).toEqual({ type: 'finished', reason: 'stop' });
  expect(server.requests.map(({ problem }) => problem)).toEqual([undefined, undefined]);
  expect(JSON.stringify(server.requests[1]?.body)).toContain('Use pnpm.');
  expect((await loadSession(sessionFile)).history).toEqual(client.history);
});

describe('the history after a halt', () => {
  const halts: [string, Script][] = [
    ['calls', loopsForever()],
    [
      'thoughts, words and several calls',
      ({ turn }) => ({ parts: [{ reasoning: 'I must look again.' }, { text: 'Both.' }, ...reads(turn)] }),
    ],
    ['words', chants({ pace: { cut: 24 } })],
  ];

  test.each(halts)('of %s is accepted by every provider, whichever provider made it', async (_, script) => {
    const others = await Promise.all(
      providerNames.map((provider) => scriptedAgent(() => say('All right.'), { provider })),
    );
    for (const provider of providerNames) {
      const { client, sessionFile } = await scriptedAgent(script, { provider });
      const events = await collect(client.sendMessageStream('Go.'));
      expect(events.at(-1)?.type).toBe('loop-detected');
      const session = await loadSession(sessionFile);
      expect(session.history).toEqual(client.history);
      for (const { another } of others)
        expect((await collect(another({ session }).continue(undefined, 'Try the other file.'))).at(-1)?.type).toBe(
          'finished',
        );
    }
    for (const { server } of others)
      expect(server.requests.map(({ problem }) => problem)).toEqual(providerNames.map(() => undefined));
  });
});

function reads(turn: number) {
  const same = { call: { tool: 'read_file', input: { path: 'README.md' } } };
  return [same, { call: { tool: 'ls', input: { path: turn % 2 === 0 ? '.' : 'src' } } }, same];
}

test.each(providerNames)('any history is made acceptable to %s', async (provider) => {
  const { server, another } = await scriptedAgent(() => say('Fine.'), { provider, problems: 'note' });
  await fc.assert(
    fc.asyncProperty(anyHistory, async (history) => {
      const seen = server.requests.length;
      const session = { ...another().session(), history };
      const events = await collect(another({ session }).sendMessageStream('Go on.'));
      expect(server.requests.slice(seen).map(({ problem }) => problem)).toEqual([undefined]);
      expect(events.at(-1)).toEqual({ type: 'finished', reason: 'stop' });
    }),
    { numRuns: 20 },
  );
});
