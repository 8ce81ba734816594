export * from './stalled-progress.js';
