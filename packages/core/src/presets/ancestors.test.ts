import { play, presetLaws, type Session, session } from '@loopfuse/testkit';
import { createWatch, type Detector } from 'loopfuse';
import { describe, expect, test } from 'vitest';
import { deepvCode } from './deepv-code.js';
import { geminiCli } from './gemini-cli.js';
import { qwenCode } from './qwen-code.js';

type Preset = () => readonly Detector[];

const sentence = 'I will look at the file once more, to be on the safe side. ';
const work = {
  'an honest session': session()
    .prompt('Fix the build.')
    .turn()
    .text('I will read the file first.\n\n| file | lines |\n|---|---|\n')
    .call('read_file', { path: 'a.ts' })
    .result('text')
    .turn()
    .call('replace', { path: 'a.ts' })
    .result('ok')
    .opinion(0.4),
};

for (const [name, make] of Object.entries<Preset>({
  geminiCli,
  qwenCode,
  deepvCode: () => deepvCode({ model: 'preview' }),
}))
  presetLaws(make, {
    name,
    chunking: 'theirs',
    runs: 20,
    loops: {
      'a call over and over': session()
        .prompt()
        .repeat(10, (s) => s.turn().call('ls', {}).result('')),
      'a sentence over and over': session()
        .prompt()
        .repeat(29, (s) => s.text(sentence)),
      'in the eyes of a judge': session().prompt().opinion(0.95, 'It reads the same three files in turn.'),
    },
    work,
  });

/** Index of the first event at which a preset is sure; -1 for never. */
function sureAt(preset: Preset, events: Session): number {
  const { findings } = play(preset(), events.events);
  return findings.findIndex((found) => found.some(({ status }) => status === 'looping'));
}

/** At which repeat of a unit, one a delta, a preset is sure; -1 for never. */
function firesAt(preset: Preset, unit: string): number {
  const watch = createWatch({ detectors: preset() });
  for (let k = 1; k * unit.length <= 15_000; k++)
    if (watch.observe({ type: 'text', text: unit }).status === 'looping') return k;
  return -1;
}

/** Text of a length with no structure in it and no window twice. */
function unitOf(length: number): string {
  let state = 1;
  return Array.from({ length }, () => {
    state = (state * 48271) % 2147483647;
    return 'abcdefghij'[state % 10];
  }).join('');
}

describe('at which repeat of a unit the ancestors notice', () => {
  test.each<[unit: string, gemini: number, qwen: number, deepv: number]>([
    ['a', 59, 59, 519],
    ['ny', 34, 34, 269],
    [unitOf(12), 14, 14, 61],
    ['Thinking... Done. ', 12, 12, 47],
    [unitOf(30), 11, 11, 36],
    [unitOf(50), 10, 10, 29],
    [unitOf(60), 10, 10, 28],
    [unitOf(75), 10, 10, 26],
    [unitOf(76), 10, -1, 26],
    [unitOf(104), 10, -1, 24],
    [unitOf(143), 10, -1, 23],
    [unitOf(250), 10, -1, 21],
    [unitOf(251), -1, -1, 21],
    [unitOf(500), -1, -1, 20],
    [unitOf(501), -1, -1, -1],
    ['我们现在再试一次看看文件是否已经修好了。', 12, 12, 44],
  ])('%j: Gemini CLI %i, Qwen Code %i, DeepV Code %i', (unit, gemini, qwen, deepv) => {
    expect([firesAt(geminiCli, unit), firesAt(qwenCode, unit), firesAt(deepvCode, unit)]).toEqual([
      gemini,
      qwen,
      deepv,
    ]);
  });
});

describe.each<[string, Preset]>([
  ['geminiCli', geminiCli],
  ['qwenCode', qwenCode],
])('%s, slips included', (_name, preset) => {
  test('takes the fifth identical call for a loop, in one batch or over many turns', () => {
    expect(
      sureAt(
        preset,
        session().repeat(5, (s) => s.call('ls', {})),
      ),
    ).toBe(4);
    expect(
      sureAt(
        preset,
        session().repeat(5, (s) => s.call('ls', {}).result(`${Math.PI}`).turn()),
      ),
    ).toBeGreaterThan(0);
  });

  test('sees bullets that begin with a hyphen, and none that begin with a star', () => {
    expect(firesAt(preset, `- ${sentence}`)).toBe(10);
    expect(firesAt(preset, `* ${sentence}`)).toBe(-1);
  });

  test('sees sentences that differ in a counter only', () => {
    const at = sureAt(
      preset,
      session().repeat(12, (s, k) => s.text(`Attempt ${k + 1}: ${sentence}`)),
    );
    expect(at).toBe(9);
  });

  test('alarms at a list of items with a long common beginning, if it comes in one delta', () => {
    const items = Array.from({ length: 15 }, (_, k) => `1. ${sentence.slice(0, 56)} ${'abcdefghijklmno'[k]}\n`);
    expect(sureAt(preset, session().text(items.join('')))).toBe(0);
    expect(
      sureAt(
        preset,
        session().repeat(15, (s, k) => s.text(items[k]!)),
      ),
    ).toBe(-1);
  });

  test('is blind after a fence that was left open in an earlier request', () => {
    const open = session().prompt().text('```').prompt();
    expect(
      sureAt(
        preset,
        open.repeat(30, (s) => s.text(sentence)),
      ),
    ).toBe(-1);
    expect(
      sureAt(
        preset,
        open.text('```').repeat(10, (s) => s.text(sentence)),
      ),
    ).toBeGreaterThan(0);
  });

  test('does not see fences that come after a loop was found', () => {
    const found = session()
      .repeat(5, (s) => s.call('ls', {}))
      .text('```')
      .prompt();
    const { findings } = play(preset(), found.repeat(10, (s) => s.text(sentence)).events);
    expect(findings.at(-1)).toHaveLength(1);
  });

  test('once sure, says so at every event of the stream until the next prompt', () => {
    const loop = session().repeat(5, (s) => s.call('ls', {}));
    const after = loop.text('well').think('hm').call('pwd').retry().compaction().add({ type: 'turn-end' });
    const { findings } = play(preset(), after.prompt().text('fine').events);
    const sure = findings.map((found) => found.length);
    expect(sure).toEqual([0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 0, 0]);
    expect(findings.flat().map(({ again }) => again)).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect(new Set(findings.flat().map(({ onset }) => onset)).size).toBe(1);
  });

  test('a judge above 0.9 is believed, once', () => {
    const judged = session().opinion(0.9).opinion(0.91, 'Round and round.').text('on it goes');
    const { findings, watch } = play(preset(), judged.events);
    expect(findings.map((found) => found.length)).toEqual([0, 1, 0]);
    expect(findings[1]![0]).toMatchObject({ kind: 'judged', status: 'looping', confidence: 0.91 });
    expect(watch.explain(findings[1]![0]!)).toContain('Round and round.');
  });
});

describe('deepvCode', () => {
  const readsOf = (tool: string, times: number, before = session().prompt()) =>
    before.repeat(times, (s, k) => s.call(tool, { k }).result('text'));

  test('takes the tenth identical call for a loop', () => {
    expect(
      sureAt(
        deepvCode,
        session().repeat(10, (s) => s.call('ls', {})),
      ),
    ).toBe(9);
  });

  test.each(['read_file', 'read_many_files', 'glob', 'search_file_content', 'ls'])(
    'allows a preview model three calls of %s in a request',
    (tool) => {
      const preview = () => deepvCode({ model: 'gemini-3-pro-Preview' });
      expect(sureAt(preview, readsOf(tool, 3))).toBe(-1);
      expect(sureAt(preview, readsOf(tool, 4))).toBe(7);
    },
  );

  test('allows a preview model four calls of any other tool, in a row or not', () => {
    const preview = () => deepvCode({ model: () => 'some-preview' });
    expect(sureAt(preview, readsOf('shell', 4))).toBe(-1);
    expect(sureAt(preview, readsOf('shell', 5))).toBe(9);
    const mixed = session()
      .prompt()
      .repeat(5, (s, k) => s.call('shell', { k }).call(`other-${k}`, {}));
    expect(sureAt(preview, mixed)).toBe(9);
  });

  test('allows other models any number of different calls', () => {
    expect(sureAt(() => deepvCode({ model: 'gemini-2.5-pro' }), readsOf('read_file', 100))).toBe(-1);
    expect(sureAt(deepvCode, readsOf('read_file', 100))).toBe(-1);
  });

  test('asks for the model at each prompt, and is not strict before the first', () => {
    let model = 'preview';
    const preset = () => deepvCode({ model: () => model });
    expect(sureAt(preset, readsOf('ls', 6, session()))).toBe(-1);
    expect(sureAt(preset, readsOf('ls', 3, readsOf('ls', 3)).prompt())).toBeGreaterThan(0);
    expect(sureAt(preset, readsOf('ls', 3, readsOf('ls', 3).prompt()))).toBe(-1);
    model = 'steady';
    expect(sureAt(preset, readsOf('ls', 6))).toBe(-1);
  });

  test('sees chants in lists, tables and code as well', () => {
    expect(firesAt(deepvCode, '```\n* the same item of the same list in the same code\n')).toBeGreaterThan(0);
  });
});
