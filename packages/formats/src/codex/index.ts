export { codex } from './codex.js';
