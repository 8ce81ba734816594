export { claudeCode } from './claude-code.js';
