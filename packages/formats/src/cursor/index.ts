export { cursor } from './cursor.js';
