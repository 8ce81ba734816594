export * from './call-action.js';
export * from './edits.js';
export * from './handlers.js';
export * from './loop-error.js';
export * from './session.js';
export * from './session-options.js';
export * from './sessions.js';
export * from './turn.js';
