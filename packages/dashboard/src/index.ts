export type { Block } from './pack-block.js';
export type {
  KindWords,
  LoopSummary,
  LoopWaste,
  ReportHead,
  SessionSummary,
} from './report.js';
export { type ReportSource, reportText, timelineBlock } from './report-text.js';
export { loadLivePage, loadTemplate } from './template.js';
export { type Item, type ItemType, itemTypes, type StepStatus, stepStatuses, type Timeline } from './timeline.js';
