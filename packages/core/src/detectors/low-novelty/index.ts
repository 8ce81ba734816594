export * from './low-novelty.js';
