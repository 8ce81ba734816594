export * from './card.js';
export * from './cost.js';
export * from './guard-in-words.js';
export * from './guard-notice.js';
export * from './guard-state.js';
export * from './loop-words.js';
