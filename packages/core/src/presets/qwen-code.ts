import type { Detector } from '../detector.js';
import { identicalCalls } from '../detectors/identical-calls/index.js';
import { windowChanting } from '../detectors/window-chanting/index.js';
import { ancestorJudge } from './ancestor-judge.js';
import { latched } from './ancestor-latch.js';

/** Qwen Code of autumn 2025, event for event: Gemini CLI with a shorter memory. */
export function qwenCode(): readonly Detector[] {
  return [
    latched('qwen-code', [
      identicalCalls({ times: 5 }),
      windowChanting({ windowChars: 50, times: 10, historyChars: 1000, gapChars: 75 }),
    ]),
    ancestorJudge('qwen-code-judge'),
  ];
}
