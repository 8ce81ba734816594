export { qwenCode } from './qwen-code.js';
