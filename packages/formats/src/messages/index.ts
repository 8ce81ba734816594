export { messageLines, messages } from './messages.js';
