import type { Detector } from 'loopfuse';
import { describe, test } from 'vitest';
import { checkBoundedState } from './laws/bounded-state.js';
import { checkChunkInvariance } from './laws/chunk-invariance.js';
import { checkFindings } from './laws/findings.js';
import { checkHostileObjects } from './laws/hostile-objects.js';
import { checkHugeTexts } from './laws/huge-texts.js';
import { checkIndifference } from './laws/indifference.js';
import { checkIsolation } from './laws/isolation.js';
import { type LawOptions, type MakeDetectors, namedScenes } from './laws/law.js';
import { checkPoison } from './laws/poison.js';
import { checkResume } from './laws/resume.js';
import { checkFires, checkNoAlarm, checkSilent } from './laws/scenes.js';
import { checkTotality } from './laws/totality.js';

/** Registers, in a Vitest file, one test for every law that a detector must keep. */
export function detectorLaws(make: () => Detector, options: LawOptions = {}): void {
  const { name } = make();
  describe(`the laws of ${name}`, () => {
    lawTests(() => [make()], options);
    for (const [scene, events] of namedScenes(options.work))
      test(`silent on its work: ${scene}`, () => checkSilent(() => [make()], events, options));
  });
}

export interface PresetLawOptions extends LawOptions {
  readonly name?: string;
  /** The bound on a whole snapshot, in characters of JSON. */
  readonly snapshotBytes?: number;
}

/** The same for a list of detectors. On work without loops it may give `suspect`, but not `looping`. */
export function presetLaws(
  make: MakeDetectors,
  { name = 'the preset', snapshotBytes = 65_536, ...options }: PresetLawOptions = {},
): void {
  describe(`the laws of ${name}`, () => {
    lawTests(make, { ...options, snapshotBytes });
    for (const [scene, events] of namedScenes(options.work))
      test(`no alarm on its work: ${scene}`, () => checkNoAlarm(make, events, options));
  });
}

function lawTests(make: MakeDetectors, options: LawOptions & { readonly snapshotBytes?: number }): void {
  const { chunking = 'ours', stateBytes = 65_536 } = options;
  if (chunking === 'ours') test('the cuts of the stream do not matter', () => checkChunkInvariance(make, options));
  test('a snapshot at any event, through JSON, has the same future', () => checkResume(make, options));
  test('sessions and lanes do not touch each other', () => checkIsolation(make, options));
  test('call ids, key order and foreign events change nothing', () => checkIndifference(make, options));
  test('no input makes it throw', () => checkTotality(make, options));
  test('no object makes it throw or read for ever', () => checkHostileObjects(make, options));
  test('its state stays as small however long a text is', () => checkHugeTexts(make, options));
  test('a broken snapshot never stops it', () => checkPoison(make, options));
  test('every finding is a well-formed fact, and explained', () => checkFindings(make, options));
  test(`its state stays under ${stateBytes} characters after 100,000 events`, () => checkBoundedState(make, options));
  for (const [scene, events] of namedScenes(options.loops))
    test(`fires on its loop: ${scene}`, () => checkFires(make, events, options));
}
