export { LoopError, openSession, type Session, type SessionOptions, type SessionSnapshot } from '@loopfuse/session';
export { type LoopHooks, loopHooks } from './hooks.js';
export { withLoopError } from './with-loop-error.js';
