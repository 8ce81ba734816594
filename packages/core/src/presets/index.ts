export * from './balanced.js';
