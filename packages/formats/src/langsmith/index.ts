export { langsmith, langsmithLines } from './langsmith.js';
