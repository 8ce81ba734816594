export * from './repeated-call.js';
