export * from './chanting.js';
