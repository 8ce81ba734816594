import type { ClientEvent, Message } from '@loopfuse/agent';
import { type Choice, ladder } from 'loopfuse';
import { describe, expect, test } from 'vitest';
import { readSession } from '../../agent/src/session/session.js';
import { loadSession } from '../../agent/src/session/session-file.js';
import { collect, scriptedAgent } from '../../agent/src/testing/scripted-agent.js';
import { innocent, loopsForever, repeatsItsContext, type Script, say } from '../../testkit/src/model-server/index.js';
import { callLoop, choicesWithHints } from '../testing/loop-report.js';
import { samples } from '../testing/samples.js';
import {
  type Conversation,
  entries,
  type FaceEvent,
  fromHistory,
  type Item,
  openLoop,
  reduce,
  startConversation,
} from './index.js';

const price = { input: 3, output: 15, cached: 0.3 };
const call = (tool: string, input: { [key: string]: string }) => ({ call: { tool, input } });

/** What is shown, without what a tool wrote while it ran, which its result tells again. */
function shown(conversation: Conversation): readonly Item[] {
  return entries(conversation).map((item) => (item.type === 'tool' ? { ...item, streamed: '' } : item));
}

type Agent = Awaited<ReturnType<typeof scriptedAgent>>;

/** A conversation as it is shown while it happens. */
function audience({ client }: Agent) {
  let conversation = startConversation({ price });
  const take = (...events: readonly (ClientEvent | FaceEvent)[]) => {
    conversation = events.reduce(reduce, conversation);
  };
  return {
    get conversation() {
      return conversation;
    },
    async sends(text: string, signal?: AbortSignal) {
      take({ type: 'started', text });
      take(...(await collect(client.sendMessageStream(text, signal))), { type: 'settled' });
    },
    async chooses(choice: Choice, hint?: string) {
      client.decide(choice, hint);
      take({ type: 'loop-answered', choice, ...(hint === undefined ? {} : { hint }) });
      if (choice === 'stop') return client.save();
      take({ type: 'started', ...(hint === undefined ? {} : { text: hint }) });
      take(...(await collect(client.continue(undefined, hint))), { type: 'settled' });
    },
  };
}

/** The law: what is read back from the file is what was shown. */
async function expectTheSame(agent: Agent, { conversation }: ReturnType<typeof audience>): Promise<Conversation> {
  const stored = fromHistory(await loadSession(agent.sessionFile), { price });
  expect(shown(stored)).toEqual(JSON.parse(JSON.stringify(shown(conversation))));
  expect(stored.sent).toEqual(conversation.sent);
  return stored;
}

describe('a stored session shows what was shown live', () => {
  test('words, thoughts and calls, with the titles that the tools gave them', async () => {
    const agent = await scriptedAgent(innocent());
    const live = audience(agent);
    await live.sends('What does it do?');
    const { items } = await expectTheSame(agent, live);
    expect(new Set(items.map(({ type }) => type))).toContain('tool');
  });

  test('the diff of a change', async () => {
    const script: Script = ({ turn }) =>
      turn === 0 ? { parts: [call('write_file', { path: 'new.txt', content: 'one\ntwo\n' })] } : say('Done.');
    const agent = await scriptedAgent(script);
    const live = audience(agent);
    await live.sends('Write it.');
    const { items } = await expectTheSame(agent, live);
    expect(items[1]).toMatchObject({ type: 'tool', display: { type: 'diff', patch: expect.stringContaining('+two') } });
  });

  test.each(choicesWithHints)('a loop that was settled with %s: its title, cost and choice', async (choice, hint) => {
    const agent = await scriptedAgent(loopsForever({ rounds: 14 }));
    const live = audience(agent);
    await live.sends('Go.');
    await expectTheSame(agent, live);
    await live.chooses(choice, hint);
    const stored = await expectTheSame(agent, live);
    expect(entries(stored).find((item) => item.type === 'loop')).toMatchObject({
      state: 'answered',
      choice,
      report: { title: expect.any(String) },
      cost: expect.any(Number),
    });
  });

  test('a loop that waits for a choice waits again', async () => {
    const agent = await scriptedAgent(loopsForever());
    const live = audience(agent);
    await live.sends('Go.');
    const stored = await expectTheSame(agent, live);
    expect([openLoop(stored)?.state, stored.guard]).toEqual(['asked', 'halted']);
    await live.sends('Something else.');
    const [settled] = entries(await expectTheSame(agent, live)).filter((item) => item.type === 'loop');
    expect(settled).toMatchObject({ state: 'answered', choice: 'stop' });
  });

  test('rounds that a rewind took out of the context of the model', async () => {
    const policy = ladder({ steers: 1, rewinds: 1, last: 'stop' });
    const agent = await scriptedAgent(repeatsItsContext(), { options: { policy } });
    const live = audience(agent);
    await live.sends('Why is the sum wrong?');
    const { items } = await expectTheSame(agent, live);
    expect(items.some((item) => item.type === 'guard' && item.what === 'rewound')).toBe(true);
  });

  test.each(['gemini-cli', 'qwen-code'] as const)('the guard of %s', async (preset) => {
    const agent = await scriptedAgent(loopsForever(), { options: { preset } });
    const live = audience(agent);
    await live.sends('Go.');
    await expectTheSame(agent, live);
  });

  test('two notes of the guard at one result', () => {
    const steered = (message: string) => ({ event: { ...samples['loop-steered'], message } });
    const output = 'text\n\n[Loop guard] First.\n\n[Loop guard] Second.';
    const { items } = fromHistory({
      history: [
        { role: 'user', from: 'user', text: 'Go' },
        { role: 'assistant', parts: [{ type: 'tool-call', id: 'a', tool: 'read_file', input: { path: 'x' } }] },
        {
          role: 'tool',
          results: [{ id: 'a', tool: 'read_file', status: 'ok', output }],
          remarks: [steered('First.'), steered('Second.')],
        },
      ],
    });
    expect(items).toMatchObject([
      { type: 'you' },
      { type: 'tool', output: 'text' },
      { type: 'guard', message: 'First.' },
      { type: 'guard', message: 'Second.' },
    ]);
  });

  test('a failure, the end of the turns, a cancelled request', async () => {
    const script: Script = ({ turn }) =>
      turn < 1 ? { parts: [call('ls', { path: '.' })] } : { fault: { type: 'refuse', status: 401 } };
    const failing = await scriptedAgent(script);
    const live = audience(failing);
    await live.sends('Go.');
    expect((await expectTheSame(failing, live)).items.at(-1)).toMatchObject({ tone: 'bad', about: 'key' });

    const endless = await scriptedAgent(({ turn }) => ({ parts: [call('ls', { path: `${turn}` })] }), {
      options: { maxTurns: 2, disableDetection: true },
    });
    const watched = audience(endless);
    await watched.sends('Go.');
    await expectTheSame(endless, watched);
    const abort = new AbortController();
    abort.abort();
    await watched.sends('Again.', abort.signal);
    expect((await expectTheSame(endless, watched)).items.at(-1)).toMatchObject({ text: 'Cancelled.' });
  });
});

describe('sessions of earlier versions', () => {
  const old = (history: readonly Message[], more: object = {}) =>
    readSession({
      version: 1,
      id: 'a',
      root: '/w',
      createdAt: '',
      updatedAt: '',
      model: 'm',
      turns: 1,
      history,
      usage: { inputTokens: 1, outputTokens: 1, cachedTokens: 0, reasoningTokens: 0 },
      ...more,
    });

  test('show calls by their input, notes of the guard as notes, and ask about the loop beside them', () => {
    const { findings, ...halted } = callLoop();
    const stored = fromHistory(
      old(
        [
          { role: 'user', from: 'user', text: 'Go' },
          { role: 'assistant', parts: [{ type: 'tool-call', id: 'a', tool: 'read_file', input: { path: 'x' } }] },
          {
            role: 'tool',
            results: [{ id: 'a', tool: 'read_file', status: 'ok', output: 'text\n\n[Loop guard] Stop that.' }],
          },
          { role: 'user', from: 'guard', text: '[Loop guard] It was halted.' },
        ],
        { halted: { ...halted, findings } },
      ),
    );
    expect(entries(stored)).toMatchObject([
      { type: 'you', text: 'Go' },
      { type: 'tool', title: 'x', output: 'text' },
      { type: 'note', tone: 'warning', text: '[Loop guard] Stop that.' },
      { type: 'note', tone: 'warning', text: '[Loop guard] It was halted.' },
      { type: 'loop', state: 'asked', calls: [{ id: 'a' }] },
    ]);
  });

  test('what was attached to a message is named with it', () => {
    const attachments = [{ path: 'a.ts', lines: [3, 9], text: 'x' } as const, { path: 'b.ts', text: 'y' }];
    const { items } = fromHistory({ history: [{ role: 'user', from: 'user', text: 'Go', attachments }] });
    expect(items).toEqual([{ type: 'you', text: 'Go', attached: [{ path: 'a.ts', lines: [3, 9] }, { path: 'b.ts' }] }]);
  });

  test('unknown remarks do not prevent a resume', () => {
    const { history } = old([
      { role: 'user', from: 'user', text: 'Go', remarks: [{ event: { type: 'hologram' } }] },
      { role: 'assistant', parts: [{ type: 'text', text: 'Yes.' }], remarks: 'nonsense' },
    ] as never);
    expect(fromHistory({ history }).items.map(({ type }) => type)).toEqual(['you', 'note', 'says']);
  });
});
