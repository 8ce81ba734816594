export { cline, clineCli } from './cline.js';
