export * from './client-settings.js';
export * from './guard-settings.js';
export * from './load-settings.js';
export * from './save-settings.js';
export * from './settings.js';
export * from './settings-error.js';
