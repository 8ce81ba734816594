export * as ancestorSchedule from '../judge-schedule.js';
export * from './balanced.js';
export { type DeepvCodeOptions, deepvCode } from './deepv-code.js';
export { geminiCli } from './gemini-cli.js';
export { qwenCode } from './qwen-code.js';
export * from './registry.js';
