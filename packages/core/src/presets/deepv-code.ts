import type { Detector } from '../detector.js';
import { identicalCalls } from '../detectors/identical-calls/index.js';
import { toolCount } from '../detectors/tool-count/index.js';
import { windowChanting } from '../detectors/window-chanting/index.js';
import { ancestorJudge } from './ancestor-judge.js';
import { latched } from './ancestor-latch.js';

export interface DeepvCodeOptions {
  /** The model in use, or a function asked at each prompt; preview models are watched more strictly. Must not throw. */
  readonly model?: string | (() => string);
}

/**
 * DeepV Code of December 2025. In text it makes no distinction except that it ignores filler. For preview models it
 * also counts the calls of each tool since the prompt.
 */
export function deepvCode({ model = '' }: DeepvCodeOptions = {}): readonly Detector[] {
  return [
    latched('deepv-code', [
      identicalCalls({ times: 10 }),
      toolCount({
        times: 5,
        timesFor: { read_file: 4, read_many_files: 4, glob: 4, search_file_content: 4, ls: 4 },
        onlyIf: () => isPreviewModel(typeof model === 'function' ? model() : model),
      }),
      // DeepV Code allows larger gaps for tables and other patterns that are common in code. But 20 windows of 500
      // within 10,000 characters are never more than 500 apart, so no gap limit is ever reached.
      windowChanting({ windowChars: 500, times: 20, historyChars: 10_000, gapChars: 750, ignores: 'filler' }),
    ]),
    ancestorJudge('deepv-code-judge'),
  ];
}

export function isPreviewModel(model: string): boolean {
  return /preview/i.test(model);
}
