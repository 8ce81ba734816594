export { type Answer, answerSchema, readAnswer } from './answer.js';
export type { Ask, JudgeRequest } from './ask/ask.js';
export type { JudgeModel, ProviderOptions } from './ask/ask-language-model.js';
export type { Counsel, Price } from './ask/counsel.js';
export * from './judge.js';
export { prompt } from './prompt.generated.js';
export * from './schedule/ancestor-schedule.js';
export * from './schedule/evidence-schedule.js';
export type { Schedule, ScheduleName, ScheduleState } from './schedule/schedule.js';
export type { JudgeSpending } from './spending.js';
export * from './stale-turns.js';
export type { Excerpt } from './transcript/excerpt.js';
export { renderRecord } from './transcript/render-record.js';
export {
  type CallEntry,
  createTranscript,
  type Entry,
  resumeTranscript,
  type Transcript,
  type TranscriptOptions,
} from './transcript/transcript.js';
