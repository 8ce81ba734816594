export { pi } from './pi.js';
