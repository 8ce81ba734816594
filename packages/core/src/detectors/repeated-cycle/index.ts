export * from './repeated-cycle.js';
