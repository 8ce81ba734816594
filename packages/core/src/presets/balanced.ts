import type { Detector } from '../detector.js';
import { chanting } from '../detectors/chanting/index.js';
import { editOscillation } from '../detectors/edit-oscillation/index.js';
import { errorStreak } from '../detectors/error-streak/index.js';
import { idlePolling } from '../detectors/idle-polling/index.js';
import { lowNovelty } from '../detectors/low-novelty/index.js';
import { monologue } from '../detectors/monologue/index.js';
import { opinion } from '../detectors/opinion/index.js';
import { repeatedCall } from '../detectors/repeated-call/index.js';
import { repeatedCycle } from '../detectors/repeated-cycle/index.js';
import { sameOutcome } from '../detectors/same-outcome/index.js';
import { stalledProgress } from '../detectors/stalled-progress/index.js';

/** Our default: progress-aware, measured on recorded work. A list to spread and to change. */
export function balanced(): readonly Detector[] {
  return [
    repeatedCycle(),
    repeatedCall(),
    errorStreak(),
    sameOutcome(),
    editOscillation(),
    chanting(),
    lowNovelty(),
    monologue(),
    idlePolling(),
    stalledProgress(),
    opinion(),
  ];
}
