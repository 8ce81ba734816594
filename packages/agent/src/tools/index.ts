export * from './tool.js';
export * from './tools.js';
