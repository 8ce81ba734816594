import type { Detector } from '../detector.js';
import { chanting } from '../detectors/chanting/index.js';
import { lowNovelty } from '../detectors/low-novelty/index.js';
import { monologue } from '../detectors/monologue/index.js';
import { opinion } from '../detectors/opinion/index.js';
import { staleRounds } from '../detectors/stale-rounds/index.js';

/** Our default: it takes progress into account and was measured on recorded sessions. A list to spread and change. */
export function balanced(): readonly Detector[] {
  return [staleRounds(), chanting(), lowNovelty(), monologue(), opinion()];
}
