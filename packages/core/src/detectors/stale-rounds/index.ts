export * from './stale-rounds.js';
