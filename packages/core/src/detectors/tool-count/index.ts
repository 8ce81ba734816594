export { type ToolCountOptions, toolCount } from './tool-count.js';
