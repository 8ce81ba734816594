export * from './same-outcome.js';
