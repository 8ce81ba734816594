import { join } from 'node:path';
import type { Price } from '@loopfuse/prices';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type Script, say, startModelServer, workspaceFiles } from '../../../testkit/src/model-server/index.js';
import type { Settings } from '../settings/settings.js';
import { freshFolder, put } from '../testing/folders.js';
import { collect, eventsOf } from '../testing/scripted-agent.js';
import type { TraceEvent } from '../trace.js';
import { openAgent } from './open-agent.js';

/** Does something else each turn, until so many are done; what a judge is answered, who has no tools, is given. */
function works(turns: number, judged: Script): Script {
  return (turn) => {
    if (turn.tools.length === 0) return judged(turn);
    if (turn.turn >= turns) return say('Done.');
    return { parts: [{ call: { tool: 'read_file', input: { path: `file-${turn.turn}.txt` } } }] };
  };
}

async function run(script: Script, settings: Settings, price?: Price) {
  const server = await startModelServer({ script });
  onTestFinished(() => server.close());
  const home = freshFolder();
  const cwd = join(home, 'work');
  put(cwd, workspaceFiles);
  for (let k = 0; k < 40; k++) put(cwd, { [`file-${k}.txt`]: `The content of file ${k}: ${'x'.repeat(k)}` });
  const overrides = {
    provider: 'openai-compatible',
    model: 'talker',
    baseURL: `${server.url}/v1`,
    ...settings,
  } as const;
  const traces: TraceEvent[] = [];
  const client = openAgent({ cwd, home, env: {}, overrides, price }).open({ trace: (event) => traces.push(event) });
  const events = await collect(client.sendMessageStream('Read them all.'));
  const asked = server.requests.flatMap(({ turn }) => (turn !== undefined && turn.tools.length === 0 ? [turn] : []));
  return { client, events, asked, traces };
}

const calm: Script = () => say('{"analysis": "It works.", "confidence": 0.1}');

describe('the presets of other agents', () => {
  test.each(['gemini-cli', 'qwen-code', 'deepv-code'] as const)(
    '%s asks a judge first before turn 30, with the model of the conversation',
    async (preset) => {
      const { asked, events, client } = await run(works(31, calm), { preset });
      expect(asked.map(({ model }) => model)).toEqual(['talker']);
      expect(eventsOf(events, 'tool-call-request').length).toBe(31);
      const before = events.slice(
        0,
        events.findIndex(({ type }) => type === 'judge-consulted'),
      );
      expect(eventsOf(before, 'tool-call-request').length).toBe(29);
      expect(client.judge).toMatchObject({ name: 'talker', schedule: 'ancestors' });
    },
  );

  test('ask another model where one is named, and none where that is switched off', async () => {
    const named = await run(works(31, calm), { preset: 'gemini-cli', judge: { model: 'other' } });
    expect(named.asked.map(({ model }) => model)).toEqual(['other']);
    const off = await run(works(31, calm), { preset: 'gemini-cli', judge: { disable: true } });
    expect([off.asked, off.client.judge]).toEqual([[], undefined]);
    expect((await run(works(31, calm), {})).client.judge).toBeUndefined();
  });
});

test('a judge that is the model of the conversation has the price that was set for the model', async () => {
  const price = { input: 3, output: 15, cached: 0.3 };
  const same = (await run(works(31, calm), { preset: 'gemini-cli' }, price)).client.judge?.spending;
  expect(same).toMatchObject({ calls: 1, inputTokens: expect.any(Number) });
  expect(same?.cost).toBeCloseTo((same!.inputTokens * 3 + same!.outputTokens * 15) / 1e6, 12);
  const other = await run(works(31, calm), { preset: 'gemini-cli', judge: { model: 'other' } }, price);
  expect(other.client.judge?.spending).not.toHaveProperty('cost'); // the price is not that of another model
});

test.each<[string, RegExp, Script]>([
  ['refuses', /status 400/, () => ({ fault: { type: 'refuse', status: 400 } })],
  ['answers in prose', /not JSON/, () => say('I would rather not say.')],
])('a judge that %s is seen to have failed, with what that took', async (_, why, judged) => {
  const { events, client, traces, asked } = await run(works(31, judged), { preset: 'gemini-cli' });
  expect(asked.length).toBe(2);
  expect(eventsOf(events, 'judge-failed')).toMatchObject([
    { message: expect.stringMatching(why), spending: { calls: 2, failures: 1 } },
  ]);
  expect(client.judge?.failure).toMatch(why);
  expect(traces).toContainEqual(expect.objectContaining({ type: 'judge-end', failure: expect.stringMatching(why) }));
  expect(events.at(-1)?.type).toBe('finished');
});

test('a model that promises and does nothing is judged, though the user speaks in between', async () => {
  const promises = [
    'Sure, I will write the file now.',
    'Of course. Writing the file right now.',
    'Sorry for the delay, I am writing the file now.',
    'The file will be written right now, sorry.',
  ];
  let said = 0;
  const circles =
    '{"analysis": "It announces the same file again and again and never calls a tool.", "confidence": 0.95}';
  const script: Script = (turn) => say(turn.tools.length === 0 ? circles : promises[said++ % promises.length]!);
  const server = await startModelServer({ script });
  onTestFinished(() => server.close());
  const home = freshFolder();
  const cwd = join(home, 'work');
  put(cwd, workspaceFiles);
  const overrides = { provider: 'openai-compatible', model: 'talker', baseURL: `${server.url}/v1`, judge: {} } as const;
  const client = openAgent({ cwd, home, env: {}, overrides }).open({});
  const judgedAt: number[] = [];
  for (const [k, request] of ['Write notes.txt.', 'Did you?', 'Go on.', 'And?', 'Well?', 'Hello?'].entries()) {
    const events = await collect(client.sendMessageStream(request));
    if (eventsOf(events, 'judge-consulted').length > 0) judgedAt.push(k);
  }
  expect(judgedAt).toEqual([4]);
  expect(client.judge?.spending).toMatchObject({ consultations: 1, failures: 0 });
});
