export * from './adapter-laws.js';
export * from './driver.js';
export * from './reference.js';
export * from './scenes.js';
export * from './tools.js';
