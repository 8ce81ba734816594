export * from './error-streak/index.js';
export * from './repeated-call/index.js';
export * from './repeated-cycle/index.js';
