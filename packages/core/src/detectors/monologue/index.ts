export * from './monologue.js';
