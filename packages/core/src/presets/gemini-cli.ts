import type { Detector } from '../detector.js';
import { identicalCalls } from '../detectors/identical-calls/index.js';
import { windowChanting } from '../detectors/window-chanting/index.js';
import { ancestorJudge } from './ancestor-judge.js';
import { latched } from './ancestor-latch.js';

/**
 * Gemini CLI of November 2025, event for event, bugs included. Its verdicts depend on how the stream is cut, on the
 * order of keys and on a code fence left open in an earlier request.
 */
export function geminiCli(): readonly Detector[] {
  return [
    latched('gemini-cli', [
      identicalCalls({ times: 5 }),
      windowChanting({ windowChars: 50, times: 10, historyChars: 5000, gapChars: 250 }),
    ]),
    ancestorJudge('gemini-cli-judge'),
  ];
}
