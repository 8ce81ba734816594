export { phoenix, phoenixLines } from './phoenix.js';
