import type { EventOf } from 'loopfuse';
import type { HaltReport, LoopReport } from './guard/loop-report.js';
import type { ResultStatus } from './history/message.js';
import type { JudgeSpending } from './judge.js';
import type { Usage } from './turn/draft.js';

/**
 * What telemetry needs for spans and counters, apart from what users are shown. A prompt contains turns, a turn contains
 * the judge, model requests and tools. Every start has an end. Tools that run in parallel are distinguished by their ids.
 */
export type TraceEvent =
  | { readonly type: 'prompt-start'; readonly promptId: string; readonly sessionId: string }
  | { readonly type: 'prompt-end'; readonly promptId: string; readonly outcome: PromptOutcome }
  | { readonly type: 'turn-start'; readonly turn: number }
  | { readonly type: 'turn-end'; readonly turn: number }
  | {
      readonly type: 'model-start';
      readonly purpose: 'turn' | 'compression';
      readonly provider: string;
      readonly model: string;
    }
  | {
      readonly type: 'model-end';
      readonly purpose: 'turn' | 'compression';
      readonly usage?: Usage;
      readonly reason?: string;
      readonly error?: string;
    }
  | { readonly type: 'tool-start'; readonly id: string; readonly tool: string }
  | { readonly type: 'tool-end'; readonly id: string; readonly tool: string; readonly status: ResultStatus }
  | { readonly type: 'judge-start' }
  | {
      readonly type: 'judge-end';
      readonly opinion?: EventOf<'opinion'>;
      /** Why it was asked and gave no opinion. */
      readonly failure?: string;
      readonly spending?: JudgeSpending;
    }
  | { readonly type: 'history-compressed' }
  | { readonly type: 'loop-steered'; readonly promptId: string; readonly report: LoopReport }
  | { readonly type: 'loop-detected'; readonly promptId: string; readonly report: HaltReport }
  | { readonly type: 'detection-disabled'; readonly promptId: string };

export type PromptOutcome = 'finished' | 'loop-detected' | 'max-turns' | 'user-cancelled' | 'error' | 'left';

/** Called synchronously with each event, in order. Must not throw; if it does, the error is logged. */
export type Trace = (event: TraceEvent) => void;
