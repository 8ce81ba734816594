import type { Detector } from '../detector.js';
import { errorStreak } from '../detectors/error-streak/index.js';
import { repeatedCall } from '../detectors/repeated-call/index.js';
import { repeatedCycle } from '../detectors/repeated-cycle/index.js';

/** Our default: progress-aware, measured on recorded work. A list to spread and to change. */
export function balanced(): readonly Detector[] {
  return [repeatedCycle(), repeatedCall(), errorStreak()];
}
