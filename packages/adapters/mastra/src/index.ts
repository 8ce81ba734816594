export { LoopError, openSession, type Session, type SessionOptions, type SessionSnapshot } from '@loopfuse/session';
export { type GuardedOptions, guarded } from './guarded.js';
export { type LoopProcessor, type LoopTripwire, loopProcessor, type ProcessorOptions } from './processor.js';
export { withLoopError } from './with-loop-error.js';
