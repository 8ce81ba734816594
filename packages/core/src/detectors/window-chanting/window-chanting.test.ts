import { detectorLaws, play, type Session, session } from '@loopfuse/testkit';
import fc from 'fast-check';
import { createWatch, type Json } from 'loopfuse';
import { describe, expect, test } from 'vitest';
import { type WindowChantingOptions, windowChanting } from './window-chanting.js';

const sentence = 'I will look at the file once more, to be on the safe side. ';
const deepv: WindowChantingOptions = {
  windowChars: 500,
  times: 20,
  historyChars: 10_000,
  gapChars: 750,
  ignores: 'filler',
};

detectorLaws(() => windowChanting(), {
  chunking: 'theirs',
  loops: {
    'a sentence': session().repeat(12, (s) => s.text(sentence)),
    'a sentence in one delta': session().text(sentence.repeat(12)),
    'a sentence in small deltas': session().repeat(80, (s, k) =>
      s.text(sentence.repeat(2).slice((k * 9) % 59, ((k * 9) % 59) + 9)),
    ),
    'after a fence and its end': session()
      .text('```')
      .text('code')
      .text('```')
      .repeat(12, (s) => s.text(sentence)),
  },
  work: {
    'a few times': session().repeat(9, (s) => s.text(sentence)),
    'with calls in between': session().repeat(20, (s) => s.text(sentence).call('ls')),
    'in code': session()
      .text('```ts\n')
      .repeat(20, (s) => s.text(sentence)),
    bullets: session().repeat(20, (s) => s.text(`* ${sentence}\n`)),
  },
});

detectorLaws(() => windowChanting(deepv), {
  chunking: 'theirs',
  runs: 20,
  loops: { 'a sentence': session().repeat(30, (s) => s.text(sentence)) },
  work: { 'a ruled page': session().repeat(200, (s) => s.text(`${'-'.repeat(70)}\n`)) },
});

/** Index of the first event at which it speaks; -1 for never. */
function speaksAt(events: Session, options: WindowChantingOptions = {}): number {
  return play([windowChanting(options)], events.events).findings.findIndex((found) => found.length > 0);
}

/** At which repeat of a unit it speaks; -1 for never. */
function firesAt(unit: string, options: WindowChantingOptions = {}): number {
  const watch = createWatch({ detectors: [windowChanting(options)] });
  for (let k = 1; k * unit.length <= 15_000; k++)
    if (watch.observe({ type: 'text', text: unit }).status !== 'clear') return k;
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

describe('windowChanting', () => {
  test('speaks at the first delta with nine periods and a window', () => {
    for (const period of [3, 7, 20, 49, 50, 51, 100, 249, 250])
      expect(firesAt(unitOf(period))).toBe(Math.ceil((9 * period + 50) / period));
  });

  test('does not see what is further apart than the gap', () => {
    expect(firesAt(unitOf(251))).toBe(-1);
    expect(firesAt(unitOf(76), { historyChars: 1000, gapChars: 75 })).toBe(-1);
  });

  test('says what is repeated, how often and since when', () => {
    const { findings, watch } = play(
      [windowChanting()],
      session()
        .turn()
        .repeat(10, (s) => s.text(sentence)).events,
    );
    const [finding] = findings[10]!;
    expect(finding).toMatchObject({
      kind: 'chanting',
      status: 'looping',
      onset: 2,
      evidence: { unit: sentence.slice(0, 50), times: 10, every: 59 },
      tools: [],
    });
    expect(watch.explain(finding!)).toMatch(/^The same text came 10 times, about every 59 characters: "I will look/);
  });

  test('starts afresh at a call and at a prompt, and not at thoughts, results or turns', () => {
    const split = (between: (s: Session) => Session) =>
      speaksAt(
        between(
          session()
            .call('ls')
            .repeat(5, (s) => s.text(sentence)),
        ).repeat(5, (s) => s.text(sentence)),
      );
    expect(split((s) => s.call('ls'))).toBe(-1);
    expect(split((s) => s.prompt())).toBe(-1);
    expect(split((s) => s.think(sentence).result('ok').turn().retry())).toBeGreaterThan(0);
  });

  test.each(['| a | b |\n', '1. first\n', '# Title\n', '> quoted\n', '=====', 'SELECT', '```ts', '``````'])(
    'starts afresh at %j',
    (delta) => {
      expect(
        speaksAt(
          session()
            .repeat(9, (s) => s.text(sentence))
            .text(delta)
            .repeat(9, (s) => s.text(sentence)),
        ),
      ).toBe(-1);
    },
  );

  test('leaves out everything from a fence to the next, and looks again after it', () => {
    const fenced = session()
      .text('```')
      .repeat(20, (s) => s.text(sentence))
      .text('```\n');
    expect(speaksAt(fenced)).toBe(-1);
    expect(speaksAt(fenced.repeat(10, (s) => s.text(sentence)))).toBe(31);
  });

  test('remembers an open fence across prompts and calls', () => {
    expect(
      speaksAt(
        session()
          .text('```')
          .prompt()
          .call('ls')
          .repeat(30, (s) => s.text(sentence)),
      ),
    ).toBe(-1);
  });

  test('never sees a chant whose pieces look like ruled lines', () => {
    const spoken = (tokens: string[]) => speaksAt(session().repeat(400, (s, k) => s.text(tokens[k % tokens.length]!)));
    expect(spoken(['I', "'ll", ' do', ' it', '.'])).toBe(-1);
    expect(spoken(['value', '=', '1'])).toBe(-1);
    expect(spoken([" I'll", ' do', ' it.'])).toBeGreaterThan(0);
  });

  test('loses the text that a very long delta pushes out of memory before it is looked at', () => {
    const chant = session().repeat(9, (s) => s.text(sentence));
    expect(speaksAt(chant.text(sentence + unitOf(3000)))).toBe(9);
    expect(speaksAt(chant.text(sentence + unitOf(4990)))).toBe(-1);
  });

  test('where filler is left out, structure and fences mean nothing', () => {
    const unit = '```\n# Title\n* an item\n| a | b |\n> quoted, and a little more';
    expect(firesAt(unit, deepv)).toBe(Math.ceil((19 * unit.length + 500) / unit.length));
  });

  test.each(['-=*_+|#.`/\\~ ', '─│┌┐└┘ ', ' \n\t', `${' '.repeat(600)}fourteen chars`])(
    'windows of nothing but %j are filler',
    (unit) => {
      expect(firesAt(unit, deepv)).toBe(-1);
    },
  );

  test('resumes to the same future where halves of surrogate pairs are confused, too', () => {
    const detector = windowChanting({ windowChars: 4, times: 3, historyChars: 30, gapChars: 20, ignores: 'structure' });
    const delta = fc.string({ unit: fc.constantFrom('\ude00', '\ude01', 'a'), minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(fc.array(delta, { maxLength: 30 }), fc.nat(30), (deltas, cut) => {
        let resumed = detector.start();
        const whole = detector.start();
        deltas.forEach((text, seq) => {
          if (seq === cut) resumed = detector.load(JSON.parse(JSON.stringify(detector.save(resumed))));
          const event = { type: 'text', text } as const;
          expect(detector.observe(resumed, event, seq)).toEqual(detector.observe(whole, event, seq));
        });
      }),
      { numRuns: 1000 },
    );
  });

  test('a fresh session saves to next to nothing', () => {
    const detector = windowChanting();
    expect(detector.save(detector.start())).toEqual({ inCode: false, text: null });
  });

  test.each<Json>([
    null,
    {},
    { inCode: 1, text: null },
    { inCode: false },
    { inCode: false, text: {} },
    { inCode: false, text: { remembered: 'abc', looked: 9, passed: [], marks: [0, 0] } },
    { inCode: false, text: { remembered: 'abc', looked: 0, passed: [0.5], marks: [0, 0] } },
    { inCode: false, text: { remembered: 'abc', looked: 0, passed: [], marks: [] } },
    { inCode: false, text: { remembered: 'abc'.repeat(2000), looked: 0, passed: [], marks: [0, 0] } },
  ])('refuses to load %j', (saved) => {
    expect(() => windowChanting().load(saved)).toThrow(TypeError);
  });

  test.each<[WindowChantingOptions, string]>([
    [{ windowChars: 0 }, 'windowChars must be an integer of at least 1, got 0'],
    [{ times: 1 }, 'times must be an integer of at least 2, got 1'],
    [{ historyChars: 40 }, 'historyChars must be an integer of at least 50, got 40'],
    [{ historyChars: 70_000 }, 'historyChars must be a number from 50 to 65535, got 70000'],
    [{ gapChars: 0 }, 'gapChars must be a number from 1 to'],
    [{ ignores: 'tables' as 'filler' }, 'ignores must be "structure" or "filler", got "tables"'],
  ])('refuses %j', (options, message) => {
    expect(() => windowChanting(options)).toThrow(message);
  });
});
