export * from './read-file.js';
