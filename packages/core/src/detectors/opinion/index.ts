export * from './opinion.js';
