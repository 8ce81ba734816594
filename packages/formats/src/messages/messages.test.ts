import { describe, expect, it } from 'vitest';
import { linesOf, readBytes, readFixture } from '../testing/read-fixture.js';
import { translatorLaws } from '../testing/translator-laws.js';

translatorLaws('messages', import.meta.url);

/** One question, one call and one answer: what most of the fixtures hold. */
function weather(thought: string, call: string, result: string, answer: string): string[] {
  return [
    'prompt: Weather?',
    'turn-start',
    `reasoning: ${thought}`,
    `call ${call}: weather {"city":"Ulm"}`,
    'turn-end',
    `result ${call}${result}`,
    'turn-start',
    `text: ${answer}`,
    'turn-end',
  ];
}

const rain = weather('Ask the tool.', 'call_1', ': rain', 'Rain.');

/** What the frameworks' fixtures hold: two calls at once, of which one fails. */
function twoCalls(said = 'text: Look.', usage: string[] = []): string[] {
  return [
    'prompt: Fix it.',
    'turn-start',
    said,
    'call t1: read {"path":"a"}',
    'call t2: read {"path":"b"}',
    ...usage,
    'turn-end',
    'result t1: alpha',
    'result t2 failed: no such file',
    'turn-start',
    'text: Done.',
    'turn-end',
  ];
}

const oneCall = [
  'prompt: Fix it.',
  'turn-start',
  'text: Look.',
  'call call-1: read {"path":"a"}',
  'turn-end',
  'result call-1: alpha',
  'turn-start',
  'text: Done.',
  'turn-end',
];

/** Without the bounds of turns, which logs of single items leave open. */
function withoutTurns(lines: readonly string[]): string[] {
  return lines.filter((line) => !line.startsWith('turn-'));
}

describe('messages of frameworks', () => {
  it.each([
    [
      'LangChain, with calls in the content and beside it',
      'langchain.json',
      twoCalls('text: Look.', ['usage 10 (4 cached) + 2']),
    ],
    ['LangChain, inside `data`', 'langchain-data.json', twoCalls()],
    ['the user interfaces of the AI SDK', 'ai-sdk-ui.json', twoCalls()],
    ['Bedrock', 'bedrock.json', twoCalls()],
    ['Pydantic AI', 'pydantic-ai.json', twoCalls()],
  ])('reads those of %s', async (_, file, lines) => {
    const sessions = await readFixture(import.meta.url, file);
    expect(sessions.map((session) => session.lines)).toEqual([lines]);
  });

  it('reads those of AutoGen', async () => {
    const sessions = await readFixture(import.meta.url, 'autogen.json');
    const lines = twoCalls('reasoning: Look.');
    expect(sessions.map((session) => withoutTurns(session.lines))).toEqual([withoutTurns(lines)]);
  });

  it('reads those of ShareGPT, with calls of their own and calls in the text', async () => {
    const sessions = await readFixture(import.meta.url, 'sharegpt.jsonl');
    expect(sessions.map(({ id, lines }) => [id, withoutTurns(lines)])).toEqual([
      ['one', withoutTurns(oneCall)],
      ['two', withoutTurns(oneCall)],
    ]);
  });

  it('reads a list of conversations', async () => {
    const sessions = await readFixture(import.meta.url, 'data-set.json');
    expect(sessions.map(({ id, lines }) => [id, withoutTurns(lines)])).toEqual([
      ['one', withoutTurns(oneCall)],
      ['two', ['prompt: Fix it.', 'text: Done.']],
    ]);
  });

  it('reads the calls that a provider runs itself, and those that the agent runs', async () => {
    const [session] = await readFixture(import.meta.url, 'items.jsonl');
    expect(withoutTurns(session!.lines)).toEqual([
      'prompt: Fix it.',
      'call t1: shell {"commands":["ls"]}',
      'result t1 failed: [{"stdout":"","stderr":"no","outcome":{"type":"exit","exit_code":1}}]',
      'call t2: read {"path":"a"}',
      'result t2: alpha',
      'call t3: read {"path":"b"}',
      'result t3: beta',
      'text: Done.',
    ]);
  });

  it('reads a conversation once from a log of requests, which repeats it with each request', async () => {
    const sessions = await readFixture(import.meta.url, 'requests.jsonl');
    expect(sessions.map(({ id, model, lines }) => [id, model, withoutTurns(lines)])).toEqual([
      [
        'requests#1',
        'm',
        ['prompt: Fix it.', 'call t1: read {"path":"a"}', 'usage 9 + 1', 'result t1: alpha', 'text: Done.'],
      ],
      ['requests#2', 'm', ['prompt: And you?', 'text: Fine.']],
    ]);
    expect(sessions[0]).toMatchObject({
      startedAt: Date.parse('2026-01-01T00:00:00Z'),
      endedAt: Date.parse('2026-01-01T00:00:02Z'),
    });
  });

  it('reads messages that stand in records of a log', async () => {
    const [session] = await readFixture(import.meta.url, 'messages-in-records.jsonl');
    expect(withoutTurns(session!.lines)).toEqual([
      'prompt: Fix it.',
      'call t1: read {"path":"a"}',
      'result t1: alpha',
      'text: Done.',
    ]);
    expect(session!.startedAt).toBe(Date.parse('2026-01-01T00:00:01.000Z'));
  });

  it('keeps conversations with different names apart, and gives each its own id', async () => {
    const asked = [{ role: 'user', content: 'Fix it.' }];
    const rows = [
      { id: 'one', messages: [...asked, { role: 'assistant', content: 'Done.' }] },
      { id: 'two', messages: [...asked, { role: 'assistant', content: 'Done.' }] },
      { id: 'one', messages: [...asked, { role: 'assistant', content: 'No.' }] },
    ];
    const { sessions } = await readBytes([Buffer.from(rows.map((row) => `${JSON.stringify(row)}\n`).join(''))]);
    expect(sessions.map(({ session, events }) => [session.id, withoutTurns(linesOf(events))[1]])).toEqual([
      ['one', 'text: Done.'],
      ['two', 'text: Done.'],
      ['one#2', 'text: No.'],
    ]);
  });

  it('reads goose, whose stream writes an answer in pieces', async () => {
    const sessions = await readFixture(import.meta.url, 'goose.jsonl');
    expect(sessions.map((session) => session.lines)).toEqual([
      [
        'prompt: Fix it.',
        'turn-start',
        'text: Lo',
        'text: ok.',
        'call t1: developer__shell {"command":"ls"}',
        'call t2: developer__shell {"command":"ls b"}',
        'turn-end',
        'result t1: a',
        'result t2 failed: no such file',
        'turn-start',
        'text: Done.',
        'turn-end',
      ],
    ]);
  });

  it('reads commands in blocks of code and their results, which are not requests of the user', async () => {
    const acting = (command: string) => ({
      role: 'assistant',
      content: `THOUGHT: Look.\n\n\`\`\`bash\n${command}\n\`\`\``,
    });
    const seeing = (code: number) => ({
      role: 'user',
      content: `<returncode>${code}</returncode>\n<output>\nx\n</output>`,
    });
    const spoken = [{ role: 'user', content: 'Fix it.' }, acting('ls'), seeing(0), acting('make'), seeing(2)];
    const { sessions } = await readBytes([Buffer.from(JSON.stringify({ messages: spoken }))], { name: 'file.json' });
    const lines = withoutTurns(linesOf(sessions[0]!.events)).filter((line) => !line.startsWith('text'));
    expect(lines.map((line) => line.split('\n')[0])).toEqual([
      'prompt: Fix it.',
      'call call-1: bash {"command":"ls"}',
      'result call-1 fine: <returncode>0</returncode>',
      'call call-2: bash {"command":"make"}',
      'result call-2 failed: <returncode>2</returncode>',
    ]);
  });

  it('does not take a reminder next to results for a request of the user', async () => {
    const reminder = { type: 'text', text: '<system-reminder>Go on.</system-reminder>' };
    const result = { type: 'tool_result', tool_use_id: 't1', content: 'alpha' };
    const spoken = [
      { role: 'user', content: 'Fix it.' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'read', input: {} }] },
      { role: 'user', content: [result, reminder] },
    ];
    const { sessions } = await readBytes([Buffer.from(JSON.stringify(spoken))], { name: 'file.json' });
    expect(sessions[0]!.events.filter(({ type }) => type === 'prompt')).toHaveLength(1);
  });
});

describe('messages', () => {
  it.each([
    ['OpenAI’s chat messages', 'openai.json', { id: 'openai', model: 'gpt-5', lines: rain }],
    [
      'Gemini’s contents',
      'gemini.json',
      { id: 'gemini', lines: weather('Hm.', 'call-1', ' failed: down', 'No idea.') },
    ],
    [
      'OpenAI’s response items',
      'responses.json',
      { id: 'conv_7', model: 'gpt-5', lines: weather('Ask.', 'call_1', ': rain', 'Rain.') },
    ],
    [
      'the messages of the AI SDK',
      'ai-sdk.json',
      { id: 'ai-sdk', lines: weather('Ask.', 'c1', ' failed: down', 'No idea.') },
    ],
    ['a message per line', 'one-a-line.jsonl', { id: 'one-a-line', lines: rain }],
  ])('reads %s', async (_, file, session) => {
    expect(await readFixture(import.meta.url, file)).toMatchObject([session]);
  });

  it('reads Anthropic’s messages', async () => {
    expect(await readFixture(import.meta.url, 'anthropic.json')).toMatchObject([
      {
        id: 'anthropic',
        lines: [
          'prompt: Weather?',
          'turn-start',
          'reasoning: Ask.',
          'call toolu_1: weather {"city":"Ulm"}',
          'usage 17 (7 cached) + 5',
          'turn-end: tool_use',
          'result toolu_1 failed: no such city',
          'prompt: Try Bonn',
          'turn-start',
          'text: Sun.',
          'turn-end',
        ],
      },
    ]);
  });

  it('reads a conversation per line', async () => {
    expect(await readFixture(import.meta.url, 'conversations.jsonl')).toMatchObject([
      { id: 'one', lines: rain },
      { id: 'conversations#1', lines: ['prompt: Weather?'] },
    ]);
  });
});
