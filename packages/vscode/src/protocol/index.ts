export * from './to-host.js';
export * from './to-view.js';
