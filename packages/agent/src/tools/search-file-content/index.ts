export * from './search-file-content.js';
