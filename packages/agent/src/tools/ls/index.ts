export * from './ls.js';
