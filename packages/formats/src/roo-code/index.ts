export { rooCode } from './roo-code.js';
