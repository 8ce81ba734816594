export { LoopError, openSession, type Session, type SessionOptions, type SessionSnapshot } from '@loopfuse/session';
export { type GuardedOptions, guarded, loopCallback } from './guarded.js';
export { LoopLlm, type ModelOptions } from './model.js';
export { withLoopError } from './with-loop-error.js';
