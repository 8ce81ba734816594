export { trace } from './trace.js';
