export * from './error-streak.js';
