export * from './read-many-files.js';
