import { expect, test } from 'vitest';
import type { Detector, DetectorOptions } from '../detector.js';
import { balanced, deepvCode, geminiCli, qwenCode } from '../presets/index.js';
import * as detectors from './index.js';

/** Every detector, what it has by default, and something else for each of its options. */
const cases: readonly [make: (options: object) => Detector, defaults: DetectorOptions, others: DetectorOptions][] = [
  [detectors.budget, { hard: {}, soft: {}, repeats: 4 }, { hard: { turns: 9 }, soft: { cost: 2 }, repeats: 3 }],
  [detectors.chanting, { patience: 1 }, { patience: 0.5 }],
  [detectors.identicalCalls, { times: 5 }, { times: 7 }],
  [detectors.lowNovelty, { patience: 1 }, { patience: 2 }],
  [
    detectors.monologue,
    { times: 3, timesWithUser: 5, shortMessage: 40 },
    { times: 4, timesWithUser: 6, shortMessage: 10 },
  ],
  [detectors.opinion, { certain: 0.9, doubtful: 0.7 }, { certain: 0.8, doubtful: 0.6 }],
  [detectors.staleRounds, { times: 3 }, { times: 4 }],
  [detectors.toolCount, { times: 5, timesFor: {} }, { times: 6, timesFor: { ls: 2 } }],
  [
    detectors.windowChanting,
    { windowChars: 50, times: 10, historyChars: 5000, gapChars: 250, ignores: 'structure' },
    { windowChars: 40, times: 8, historyChars: 900, gapChars: 60, ignores: 'filler' },
  ],
];

test('every detector there is has a case', () => {
  expect(cases.map(([make]) => make)).toEqual(Object.values(detectors).filter((one) => typeof one === 'function'));
});

test.each(cases)('%o tells the options it works with', (make, defaults, others) => {
  expect(make({}).options?.()).toStrictEqual(defaults);
  expect(make(others).options?.()).toStrictEqual(others);
});

test.each([
  ['balanced', balanced()],
  ['gemini-cli', geminiCli()],
  ['qwen-code', qwenCode()],
  ['deepv-code', deepvCode({ model: 'a-preview' })],
])('%s: each detector tells its options, as JSON', (_name, preset) => {
  for (const detector of preset) {
    const options = detector.options?.();
    expect(options).toBeDefined();
    expect(JSON.parse(JSON.stringify(options))).toStrictEqual(options);
  }
});

test('an ancestor tells the options of what is under its latch, and leaves out what does not watch this model', () => {
  const window = { windowChars: 500, times: 20, historyChars: 10_000, gapChars: 750, ignores: 'filler' };
  let model = 'a-model';
  const [latch, judge] = deepvCode({ model: () => model });
  expect(latch!.options?.()).toEqual({ 'identical-calls': { times: 10 }, 'window-chanting': window });
  model = 'a-preview';
  expect(latch!.options?.()).toHaveProperty('tool-count.timesFor.read_file', 4);
  expect(judge!.options?.()).toEqual({ above: 0.9 });
});
