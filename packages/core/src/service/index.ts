export type { JudgeAnswer, JudgeRequest, Signal } from './judge.js';
export {
  type LogLevel,
  LoopDetectionService,
  type LoopDetectionServiceOptions,
  type LoopType,
  type PresetName,
} from './loop-detection-service.js';
export type { StreamEvent } from './stream-event.js';
