export * from './edit-oscillation.js';
