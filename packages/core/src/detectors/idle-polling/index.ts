export * from './idle-polling.js';
