export * from './detector.js';
export * from './event.js';
export * from './finding.js';
export type { Effect, Step, StepError } from './step/step.js';
export type { ToolRule, ToolRules } from './step/tool-rules.js';
export * from './watch.js';
