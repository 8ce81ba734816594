import type { PresetName } from 'loopfuse/presets';
import { describe, expect, test } from 'vitest';
import { chants, innocent, type Part, type Script, say } from '../../../testkit/src/model-server/index.js';
import { loadSession } from '../session/session-file.js';
import { collect, eventsOf, scriptedAgent } from '../testing/scripted-agent.js';
import type { ClientEvent } from './client-event.js';

interface Ancestor {
  readonly preset: Exclude<PresetName, 'balanced'>;
  /** The call at which equal calls are a loop. */
  readonly threshold: number;
  /** Whether the model finds in its history what it did. */
  readonly feedback: boolean;
  readonly choices: readonly string[];
  readonly resumes: boolean;
}

const ancestors: readonly Ancestor[] = [
  { preset: 'gemini-cli', threshold: 5, feedback: false, choices: ['stop', 'disable'], resumes: true },
  { preset: 'qwen-code', threshold: 5, feedback: false, choices: ['stop', 'disable'], resumes: false },
  { preset: 'deepv-code', threshold: 10, feedback: true, choices: ['stop'], resumes: false },
];

const read = (path: string): Part => ({ call: { tool: 'read_file', input: { path } } });
const write = (path: string, content: string): Part => ({ call: { tool: 'write_file', input: { path, content } } });

/** The same call, turn after turn. */
const loops: Script = () => ({ parts: [read('README.md')] });

describe.each(ancestors)('the $preset preset', ({ preset, threshold, feedback, choices, resumes }) => {
  const looping = (script: Script = loops, model = 'some-model') =>
    scriptedAgent(script, { provider: 'anthropic', model, options: { preset } });
  const run = async (script?: Script, model?: string) => {
    const agent = await looping(script, model);
    const events = await collect(agent.client.sendMessageStream('go'));
    return { ...agent, events, calls: eventsOf(events, 'tool-call-request').length };
  };

  let looped: ReturnType<typeof run> | undefined;
  const ran = () => {
    looped ??= run();
    return looped;
  };

  test('1: the event is caught', async () => {
    const { events } = await ran();
    expect(eventsOf(events, 'loop-detected').length).toBe(1);
    expect(events.at(-1)?.type).toBe('loop-detected');
    expect(eventsOf(events, 'loop-steered')).toEqual([]);
  });

  test('2: the message to show is there: what repeated, how often, and what can be done', async () => {
    const { events } = await ran();
    expect(events.at(-1)).toMatchObject({
      title: 'Repeated calls',
      explanation: expect.stringMatching(new RegExp(`read_file.*${threshold}`, 's')),
      choices,
      resumes,
    });
  });

  test('3: the stream is stopped at once: neither the call nor anything after it is passed on, and the request is dropped', async () => {
    const more = Array.from({ length: 400 }, (_, k) => `Thing number ${k}.`).join(' ');
    const talkative: Script = ({ turn }) =>
      turn < threshold - 1
        ? { parts: [read('README.md')] }
        : { parts: [read('README.md'), { text: more }], pace: { delay: 1 } };
    const { events, calls, server, client } = await run(talkative);
    expect(calls).toBe(threshold - 1);
    expect(eventsOf(events, 'content')).toEqual([]);
    expect(client.history.at(feedback ? -2 : -1)).toMatchObject({ role: 'tool', results: [{ status: 'not-run' }] });
    await expect
      .poll(() => server.requests.map(({ delivery }) => delivery))
      .toEqual([...Array(threshold - 1).fill('whole'), 'gone']);
  });

  test('4: the session is saved when the event is seen', async () => {
    const { client, sessionFile } = await looping();
    let checked = false;
    for await (const event of client.sendMessageStream('go')) {
      if (event.type !== 'loop-detected') continue;
      const session = await loadSession(sessionFile);
      expect(session.history).toEqual(client.history);
      expect(session.halted?.kind).toBe('repeated-calls');
      checked = true;
    }
    expect(checked).toBe(true);
  });

  test('5: a warning is logged', async () => {
    const { log } = await ran();
    expect(log.filter(({ level }) => level === 'warn')).toEqual([
      { level: 'warn', message: expect.stringMatching(/^Loop detected .*read_file/) },
    ]);
  });

  test('6: preview models are held to 4 calls of a reading tool and 5 of another, where the ancestor does so', async () => {
    let n = 0;
    const reading: Script = () => (n < 8 ? { parts: [read(`file-${n++}.txt`)] } : say('Done.'));
    const writing: Script = () => (n < 8 ? { parts: [write('a.txt', `version ${n++}`)] } : say('Done.'));
    const outcomes: (number | string)[] = [];
    for (const script of [reading, writing]) {
      n = 0;
      const { events, calls } = await run(script, 'gemini-3-pro-preview');
      outcomes.push(events.at(-1)?.type === 'loop-detected' ? calls + 1 : 'not flagged');
    }
    expect(outcomes).toEqual(preset === 'deepv-code' ? [4, 5] : ['not flagged', 'not flagged']);
  });

  test(`7: the standard threshold is ${threshold}: one call less is left alone`, async () => {
    const once =
      (times: number): Script =>
      (turn) =>
        turn.turn < times ? { parts: [read('README.md')] } : say('Done.');
    expect((await run(once(threshold - 1))).events.at(-1)?.type).toBe('finished');
    expect((await run(once(threshold))).events.at(-1)?.type).toBe('loop-detected');
  });

  test('8: all other events are handled as ever', async () => {
    const { events } = await run(innocent());
    const kinds = new Set<ClientEvent['type']>(events.map(({ type }) => type));
    expect([...kinds].sort()).toEqual(
      [
        'content',
        'finished',
        'reasoning',
        'token-usage',
        'tool-call-output',
        'tool-call-request',
        'tool-call-result',
      ].sort(),
    );
  });

  test(`what repeated is ${feedback ? '' : 'not '}put into the history, before the event is seen`, async () => {
    const { client } = await looping();
    for await (const event of client.sendMessageStream('go'))
      if (event.type === 'loop-detected') {
        const last = client.history.at(-1);
        expect(last?.role === 'user' && last.from === 'guard').toBe(feedback);
      }
    expect(client.halted).toBeDefined();
  });

  test('chanting is halted while it is being said', async () => {
    const { events } = await run(
      chants({
        sentence: 'let me check the configuration once more to be sure of it. ',
        pace: { cut: 'whole' },
        times: 60,
      }),
    );
    expect(events.at(-1)).toMatchObject({ type: 'loop-detected', kind: 'chanting' });
  });

  test('a new prompt starts afresh; the same prompt stays halted', async () => {
    const { client } = await run();
    expect((await collect(client.sendMessageStream('again', undefined, 'other'))).at(-1)?.type).toBe('loop-detected');
    const same = await collect(client.sendMessageStream('again', undefined, 'other'));
    expect(same.map(({ type }) => type)).toEqual(['loop-detected']);
  });
});
