export { langfuse, langfuseCsv, langfuseLines } from './langfuse.js';
