export * from './glob.js';
