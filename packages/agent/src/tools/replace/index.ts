export * from './replace.js';
