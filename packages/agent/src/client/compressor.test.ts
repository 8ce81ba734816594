import { describe, expect, test } from 'vitest';
import { fails, type Script, say, type TurnRequest } from '../../../testkit/src/model-server/index.js';
import { put } from '../testing/folders.js';
import { collect, eventsOf, scriptedAgent } from '../testing/scripted-agent.js';
import type { TraceEvent } from '../trace.js';

const read = (path: string) => ({ call: { tool: 'read_file', input: { path } } });
const files = Object.fromEntries(Array.from({ length: 40 }, (_, k) => [`f${k}.txt`, `${k} `.repeat(1500)]));
const isSummary = ({ tools }: TurnRequest) => tools.length === 0;

/** Reads one file after the other; takes notes when asked to. */
const reader =
  (rounds: number, notes: Script = () => say('Notes: files were read.')): Script =>
  (turn) => {
    if (isSummary(turn)) return notes(turn);
    const next = turn.messages.flatMap(({ calls }) => calls).length;
    const last = turn.messages.flatMap(({ calls }) => calls).at(-1)?.input as { path?: string } | undefined;
    const number =
      last?.path === undefined ? (next === 0 && turn.turn === 0 ? 0 : rounds) : Number(last.path.slice(1, -4)) + 1;
    return number < rounds ? { parts: [read(`f${number}.txt`)] } : say('All read.');
  };

async function reading(rounds: number, options: object = {}, notes?: Script) {
  const agent = await scriptedAgent(reader(rounds, notes), {
    options: { contextTokens: 8000, disableDetection: true, ...options },
  });
  put(agent.root, files);
  return agent;
}

describe('a long conversation', () => {
  test('is compressed before it becomes too long, and the work continues', async () => {
    const { client, server } = await reading(30);
    const events = await collect(client.sendMessageStream('Read all of the files.'));
    const compressed = eventsOf(events, 'history-compressed');
    expect(compressed.length).toBeGreaterThan(1);
    for (const { tokensBefore, tokensAfter } of compressed) expect(tokensAfter).toBeLessThan(tokensBefore);
    expect(events.at(-1)).toEqual({ type: 'finished', reason: 'stop' });
    expect(server.requests.some(({ problem }) => problem !== undefined)).toBe(false);
    const sizes = server.requests.map(
      ({ body }) => JSON.stringify((body as { messages: unknown }).messages).length / 4,
    );
    expect(Math.max(...sizes)).toBeLessThan(8000);
    expect(client.history[0]).toMatchObject({
      role: 'user',
      from: 'summary',
      text: expect.stringContaining('Read all of the files.'),
    });
    expect(client.session().title).toBe('Read all of the files.');
  });

  test('it is shown to the guard', async () => {
    const traces: TraceEvent[] = [];
    const { client } = await reading(12, { disableDetection: false, trace: (event: TraceEvent) => traces.push(event) });
    const seq = () => client.guard.snapshot().watch.seq;
    await collect(client.sendMessageStream('Read.'));
    const before = seq();
    const events = await collect(client.compress());
    expect(eventsOf(events, 'history-compressed').length).toBe(1);
    expect(seq()).toBe(before + 1);
    expect(traces.filter(({ type }) => type === 'history-compressed').length).toBeGreaterThan(0);
  });

  test('a summary that fails is a warning, and the work continues as long as possible', async () => {
    const { client } = await reading(12, { contextTokens: 6000 }, fails(400));
    const events = await collect(client.sendMessageStream('Read.'));
    expect(eventsOf(events, 'warning')[0]?.message).toMatch(/could not be compressed/);
    expect(events.at(-1)?.type).toBe('finished');
  });

  test('a retried summary is reported, and why it failed, without the key', async () => {
    const traces: TraceEvent[] = [];
    const key = 'test-key-of-the-scripted-agent';
    const { client } = await reading(12, { retries: 1, trace: (event: TraceEvent) => traces.push(event) }, () => ({
      fault: { type: 'refuse', status: 429, message: `Slow down, ${key}`, headers: { 'retry-after': '0' } },
    }));
    const events = await collect(client.sendMessageStream('Read.'));
    const [again, given, ...more] = eventsOf(events, 'warning').map(({ message }) => message);
    expect(again).toMatch(/answered 429 .*try 2 of 2/);
    expect(given).toMatch(/could not be compressed: .*tried 2 times\. There were too many requests/);
    expect(`${JSON.stringify([again, given, ...more])} ${JSON.stringify(traces)}`).not.toContain(key);
  });

  test('a summary that is longer than the messages is not used', async () => {
    const { client } = await reading(6, { contextTokens: 4000 }, () => ({
      ...say('blah '.repeat(200_000)),
      pace: { cut: 2000 },
    }));
    const events = await collect(client.sendMessageStream('Read.'));
    expect(eventsOf(events, 'warning')[0]?.message).toMatch(/not shorter/);
    expect(eventsOf(events, 'history-compressed')).toEqual([]);
  });

  test('a provider that finds it too long makes us compress it and try again, once', async () => {
    const seen: string[] = [];
    const judge = {
      name: 'none',
      consult: async () => undefined,
      observe: ({ type }: { type: string }) => seen.push(type),
    };
    const { client, server } = await reading(30, { contextTokens: 500_000, disableDetection: false, judge });
    await collect(client.sendMessageStream('Read.'));
    const script = reader(3);
    let refused = 0;
    server.setScript((turn) =>
      !isSummary(turn) && turn.messages.length > 20 && refused++ < 5
        ? { fault: { type: 'refuse', status: 400, message: 'This model has a maximum context length of 8000 tokens.' } }
        : script(turn),
    );
    const events = await collect(client.sendMessageStream('Once more.'));
    expect(refused).toBe(1);
    expect(eventsOf(events, 'history-compressed').length).toBe(1);
    expect(seen.filter((type) => type === 'compaction').length).toBe(1);
    expect(events.at(-1)?.type).toBe('finished');
  });

  test('can be cancelled while the summary is written', async () => {
    const controller = new AbortController();
    const { client } = await reading(12, { contextTokens: 6000 }, () => {
      controller.abort();
      return { ...say('never'), fault: { type: 'stall' } };
    });
    const events = await collect(client.sendMessageStream('Read.', controller.signal));
    expect(events.at(-1)?.type).toBe('user-cancelled');
    expect(eventsOf(events, 'history-compressed')).toEqual([]);
  });

  test('left while the summary is retried, its trace has an end', async () => {
    const traces: TraceEvent[] = [];
    const { client, server } = await reading(3, { trace: (event: TraceEvent) => traces.push(event) });
    await collect(client.sendMessageStream('Read.'));
    server.setScript(fails(429, { headers: { 'retry-after': '50' } }));
    for await (const { type } of client.compress()) if (type === 'warning') break;
    expect(traces.slice(-2).map(({ type }) => type)).toEqual(['model-start', 'model-end']);
  });

  test('what it cost is counted', async () => {
    const { client } = await reading(3);
    await collect(client.sendMessageStream('Read.'));
    const before = client.usage.inputTokens;
    await collect(client.compress());
    expect(client.usage.inputTokens).toBeGreaterThan(before);
  });
});
