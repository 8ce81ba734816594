export { kimi, kimiContext } from './kimi.js';
