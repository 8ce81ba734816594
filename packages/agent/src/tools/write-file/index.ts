export * from './write-file.js';
