import { loopsForever, recoversAfterSteer, type Script } from '@loopfuse/model-server';
import { createFrameReader, parsedChunk } from '@loopfuse/wire';
import { afterEach, describe, expect, it } from 'vitest';
import { type Started, start } from './testing/start.js';

let started: Started | undefined;
afterEach(async () => {
  await started?.close();
  started = undefined;
});

interface Answered {
  readonly status: number;
  /** As the client is told first, and last. */
  readonly ids: readonly string[];
  readonly text: string;
  readonly calls: readonly string[];
}

const tools = [{ type: 'function', name: 'read_file', parameters: { type: 'object', properties: { path: {} } } }];

async function ask(stream: boolean, body: object): Promise<Answered> {
  const sent = JSON.stringify({ model: 'm', stream, tools, ...body });
  const response = await fetch(`${started!.url}/v1/responses`, { method: 'POST', body: sent });
  const bytes = new Uint8Array(await response.arrayBuffer());
  const frames = createFrameReader().push(bytes);
  const events = frames.map(({ data }) => parsedChunk(data) as { type?: string; response?: Kept });
  const whole = stream ? events.flatMap(({ response: one }) => one ?? []) : [JSON.parse(Buffer.from(bytes).toString())];
  const output = (whole.at(-1) as Kept | undefined)?.output ?? [];
  return {
    status: response.status,
    ids: [whole[0]?.id, whole.at(-1)?.id],
    text: output
      .flatMap(({ content }) => content ?? [])
      .map(({ text }) => text)
      .join(''),
    calls: output.flatMap(({ type, call_id }) => (type === 'function_call' ? [call_id ?? ''] : [])),
  };
}

interface Kept {
  readonly id: string;
  readonly output?: readonly { type: string; call_id?: string; content?: readonly { text: string }[] }[];
}

/** An agent that sends only what is new, and names the answer that it goes on from: by the first id it is told, or the last. */
async function drive(prompt: string, { stream = true, by = 'first' as 'first' | 'last' } = {}): Promise<Answered[]> {
  const answers = [await ask(stream, { input: prompt })];
  for (let round = 0; round < 20; round++) {
    const { status, ids, calls } = answers.at(-1)!;
    if (status !== 200 || calls.length === 0) break;
    const input = calls.map((call_id) => ({ type: 'function_call_output', call_id, output: 'the same' }));
    answers.push(await ask(stream, { previous_response_id: by === 'first' ? ids[0] : ids[1], input }));
  }
  return answers;
}

async function through(script: Script): Promise<void> {
  started = await start(script);
}

describe.each([
  { stream: true, by: 'first' as const },
  { stream: true, by: 'last' as const },
  { stream: false, by: 'last' as const },
])('where the provider keeps the history (stream: $stream, by the $by id), the gateway', (how) => {
  it('knows the session by the answer that a request goes on from, and stops it alone', async () => {
    await through(loopsForever());
    const answers = await drive('Read it.', how);
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(answers.at(-1)?.text).toMatch(/Loopfuse stopped this run/);
    expect(answers.length).toBeLessThan(10);
    expect(await started!.gateway.sessions()).toHaveLength(1);
    const other = await drive('Read another one.', how);
    expect(other.length).toBe(answers.length);
    expect(await started!.gateway.sessions()).toHaveLength(2);
  });

  it('lets the agent go on after a call was refused, from the answer that came in its place', async () => {
    let changed = false;
    await through((turn) => {
      if (turn.messages.some(({ results }) => results.some(({ text }) => text.includes('Loop notice')))) {
        const parts = changed ? [{ text: 'Found.' }] : [{ call: { tool: 'read_file', input: { path: 'b' } } }];
        changed = true;
        return { parts };
      }
      return { parts: [{ text: 'Again.' }, { call: { tool: 'read_file', input: { path: 'a' } } }] };
    });
    const answers = await drive('Read it.', how);
    expect(changed).toBe(true);
    expect(answers.at(-1)).toMatchObject({ status: 200, text: expect.stringMatching(/Found\./) });
    expect(started!.model.requests.map(({ status }) => status)).toEqual(started!.model.requests.map(() => 200));
  });

  it('lets a person go on from the answer that said that it was stopped, with everything before it', async () => {
    await through(loopsForever());
    const stopped = (await drive('Read it.', how)).at(-1)!;
    expect(stopped.text).toMatch(/Loopfuse stopped this run/);
    const before = started!.model.seen;
    const going = { previous_response_id: how.by === 'first' ? stopped.ids[0] : stopped.ids[1] };
    await ask(how.stream, { ...going, input: 'Look elsewhere.' });
    expect(started!.model.seen).toBe(before + 1);
    const { status, turn } = started!.model.requests.at(-1)!;
    const users = turn!.messages.filter(({ role }) => role === 'user').map(({ text }) => text);
    expect([status, users.at(0), users.at(-1)]).toEqual([200, 'Read it.', 'Look elsewhere.']);
    expect(turn!.messages.at(-2)).toMatchObject({ role: 'assistant', text: expect.stringMatching(/stopped this run/) });
  });

  it('gets a model that listens out of its loop', async () => {
    await through(recoversAfterSteer());
    const answers = await drive('Read it.', how);
    expect(answers.at(-1)).toMatchObject({ status: 200, text: expect.stringMatching(/You are right/) });
    expect(started!.model.requests.map(({ status }) => status)).toEqual(started!.model.requests.map(() => 200));
  });
});
