import { detectorLaws, play, session } from '@loopfuse/testkit';
import { describe, expect, test } from 'vitest';
import type { AgentEvent } from '../../event.js';
import type { Finding } from '../../finding.js';
import { type ChantingEvidence, chanting } from './chanting.js';

const sentence = 'I will read the configuration once more to be sure. ';
const passage =
  'The parser reads the file line by line and keeps what it cannot use. When a line is broken it is reported with its ' +
  'number, and the rest is still read. A reader who wants to know more finds the reasons in the notes beside the code, ' +
  'where every decision has a page of its own with the date and what was rejected. ';
const counter = (times: number) =>
  Array.from(
    { length: times },
    (_, k) => `Attempt ${k + 1} failed, so I will now try the same connection again.\n`,
  ).join('');
const entries = [
  'check the order of the customer',
  'write to the customer about it',
  'close the order of the customer',
];
const goingRound = (times: number) => Array.from({ length: times }, (_, k) => `${k + 1}. ${entries[k % 3]}\n`).join('');
const work = session()
  .prompt('Clean this up.')
  .turn()
  .think('First the imports, then the tests. ')
  .text(`${passage}\n\n| name | size |\n|------|------|\n| a    | 12   |\n| b    | 7    |\n\n${'-'.repeat(80)}\n`)
  .repeat(30, (turn) => turn.text('Now let me check the next file.').call('read', { path: 'a' }).result('ok').turn());

detectorLaws(() => chanting(), {
  loops: {
    'a sentence without end': session().turn().text(sentence.repeat(40)),
    'a passage without end': session().turn().text(passage.repeat(8)),
    'a counter that runs': session().turn().text(counter(40)),
    'in reasoning': session().turn().text('Let me think. ').think(sentence.repeat(30)),
    'a numbered list that goes round': session().turn().text(goingRound(60)),
    'line breaks': session().turn().text('Done.').text('\n'.repeat(900)),
  },
  work: {
    'a message and many turns': work,
    'a list of names with numbers in them': session()
      .turn()
      .text(Array.from({ length: 380 }, (_, k) => `word${(k * 7919) % 10007}`).join(' ')),
  },
  stateBytes: 24_000,
});

function findings(...events: AgentEvent[]): Finding[] {
  return play([chanting()], events).findings.flat() as Finding[];
}

function evidence(text: string): ChantingEvidence | undefined {
  return findings({ type: 'text', text })[0]?.evidence as ChantingEvidence | undefined;
}

const lines = (count: number, line: (k: number) => string) =>
  Array.from({ length: count }, (_, k) => line(k)).join('\n');

/** What a person may well have asked for. */
const askedFor = {
  'seed data': lines(60, (k) => `INSERT INTO users (id, name, role) VALUES (${k}, 'user${k}', 'member');`),
  'a log': lines(40, (k) => `2026-11-15T20:${10 + k}:00Z INFO heartbeat ok worker=3`),
  'a log without times': lines(40, () => 'INFO heartbeat ok'),
  progress: lines(100, (k) => `Processing item ${k + 1} of 100... done`),
  'a table': lines(60, (k) => `| ${k} | member | active |`),
  'a list': lines(50, (k) => `- [ ] Review file src/part-${k}.ts`),
};

describe('chanting', () => {
  test('sees entries of a list and rows of a table that come back with another number', () => {
    expect(evidence(goingRound(60))).toMatchObject({ drifting: true, times: 6 });
    const rows = lines(40, (k) => `| ${k} | ${entries[k % 3]} | open |`);
    expect(evidence(rows)).toMatchObject({ drifting: true });
    const inChinese = lines(40, (k) => `${k}. 显示器、座椅可由公司借用，离职时归还[4]。`);
    expect(evidence(inChinese)).toMatchObject({ drifting: true });
  });

  test('lets entries be of which more than the number of the line changes', () => {
    expect(evidence(lines(40, (k) => `${k}. check the order ${(k * 7919) % 1000} of the customer`))).toBeUndefined();
    expect(evidence(lines(40, (k) => `${k}. check the order of the customer by ${k} o'clock`))).toBeUndefined();
    expect(evidence(lines(40, (k) => `${10 + k}:00 check the order of the customer`))).toBeUndefined();
  });

  test('says what was chanted, how often, and where', () => {
    expect(evidence(`Well. ${sentence.repeat(20)}`)).toEqual({
      channel: 'text',
      unit: sentence,
      period: sentence.length,
      times: 5,
      characters: 244,
      at: 301,
      drifting: false,
    });
  });

  test('gives the channel of reasoning its own kind', () => {
    expect(findings({ type: 'reasoning', text: sentence.repeat(20) })[0]).toMatchObject({
      kind: 'circling',
      status: 'looping',
    });
    expect(findings({ type: 'text', text: sentence.repeat(20) })[0]).toMatchObject({ kind: 'chanting' });
  });

  test('hears text and reasoning that take turns as two streams', () => {
    const both = Array.from({ length: 40 }, (_, k): AgentEvent[] => [
      { type: 'text', text: sentence },
      { type: 'reasoning', text: `${passage.slice(k, k + 30)}${k * k} ` },
    ]).flat();
    const found = findings(...both);
    expect(found.length).toBeGreaterThan(0);
    expect(new Set(found.map(({ kind }) => kind))).toEqual(new Set(['chanting']));
  });

  test('is sooner sure of sentences than of structure', () => {
    const seenAt = (unit: string) =>
      evidence(unit.repeat(Math.ceil(5000 / unit.length)))?.at ?? Number.POSITIVE_INFINITY;
    expect(seenAt('again and again ')).toBeLessThan(300);
    expect(seenAt('我需要再检查一下这个文件。')).toBeLessThan(300);
    expect(passage.length).toBeGreaterThan(200);
    expect(seenAt(passage), 'said three times').toBeLessThanOrEqual(passage.length * 3);
    const short = passage.slice(0, 150);
    expect(seenAt(short), 'said four times').toBeLessThanOrEqual(short.length * 4);
    expect(evidence(short.repeat(3))).toBeUndefined();
    const page = passage + passage.toUpperCase();
    expect(page.length).toBeGreaterThan(600);
    expect(seenAt(page), 'the third time need not be finished').toBeLessThan(page.length * 3);
    expect(seenAt('\n')).toBeLessThan(500);
    expect(seenAt('🎉')).toBeLessThan(700);
    expect(seenAt('! ')).toBeLessThan(700);
    expect(seenAt('ny')).toBeLessThan(900);
    expect(seenAt('        """\n')).toBeLessThan(1300);
    expect(seenAt('foo(bar[1], "x");\n')).toBeLessThan(1700);
    for (const plain of ['-', '=', ' ', '0', 'A', '| | |\n', '0, 0, '])
      expect(seenAt(plain), JSON.stringify(plain)).toBeGreaterThan(1900);
  });

  test('needs words around a number that changes', () => {
    expect(evidence(counter(30))).toMatchObject({ drifting: true });
    expect(evidence(Array.from({ length: 900 }, (_, k) => `${k}, `).join(''))).toBeUndefined();
    expect(evidence(Array.from({ length: 90 }, (_, k) => `| ${k} | ${k * 7} | ok |\n`).join(''))).toBeUndefined();
  });

  test.each(Object.entries(askedFor))('lets the lines of %s be', (_, text) => {
    expect(evidence(text)).toBeUndefined();
    expect(evidence(`Here it is:\n\n\`\`\`\n${text}\n\`\`\`\n`)).toBeUndefined();
  });

  test('is not misled by a sentence on a line of its own', () => {
    expect(evidence(lines(40, () => 'Let me try that again.'))).toBeDefined();
    expect(
      evidence(lines(40, (k) => `Attempt ${k}: I will now run the tests and see whether they pass.`)),
    ).toBeDefined();
  });

  test('knows numbers that go round from numbers that go on', () => {
    expect(evidence('3, 17, 250, 9, '.repeat(200))).toMatchObject({ drifting: false, period: 15 });
  });

  test('speaks again each time the chant has doubled, and keeps its onset', () => {
    const deltas = sentence
      .repeat(200)
      .match(/.{1,20}/gs)!
      .map((text): AgentEvent => ({ type: 'text', text }));
    const found = findings({ type: 'turn-start' }, ...deltas);
    expect(found.map(({ again }) => again)).toEqual([0, 1, 2, 3, 4, 5]);
    expect(new Set(found.map(({ onset }) => onset)).size).toBe(1);
    expect(found[0]!.onset).toBeLessThan(8);
  });

  test('ends with the message', () => {
    const boundary: AgentEvent[] = [
      { type: 'prompt' },
      { type: 'turn-start' },
      { type: 'turn-end' },
      { type: 'tool-call', id: '1', tool: 'read', input: {} },
      { type: 'tool-result', id: '1', output: '' },
      { type: 'retry' },
      { type: 'compaction' },
      { type: 'steer', text: 'You repeat yourself.' },
    ];
    for (const event of boundary) {
      const half: AgentEvent = { type: 'text', text: sentence.repeat(4) };
      expect(findings(half, event, half), event.type).toEqual([]);
    }
    const usage: AgentEvent = { type: 'usage', inputTokens: 1, outputTokens: 1 };
    const part: AgentEvent = { type: 'text', text: sentence.repeat(4) };
    expect(findings(part, usage, part)).not.toEqual([]);
  });

  test('waits longer when told to be patient', () => {
    const at = (patience: number) =>
      (play([chanting({ patience })], [{ type: 'text', text: sentence.repeat(99) }]).findings.flat()[0] as Finding)
        .evidence;
    expect(at(3)).toMatchObject({ characters: expect.toSatisfy((count: number) => count >= 720) });
    expect(() => chanting({ patience: 0 })).toThrow('chanting: patience must be a number from 0.1 to 100, got 0');
  });

  test('explains itself in a sentence', () => {
    const detector = chanting();
    expect(detector.explain(evidence(sentence.repeat(20))!)).toBe(
      `The message repeats "${sentence}" (52 characters) 5 times in a row word for word, 244 characters after the first time.`,
    );
    expect(detector.explain(evidence('x'.repeat(9000))!)).toContain('repeats "x" (1 character) ');
    expect(detector.explain(evidence(counter(40))!)).toContain('with nothing but its numbers changing');
  });
});
