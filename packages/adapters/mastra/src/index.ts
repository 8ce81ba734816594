export { LoopError, openSession, type Session, type SessionOptions, type SessionSnapshot } from '@loopfuse/session';
export { guarded } from './guarded.js';
export { type LoopProcessor, type LoopTripwire, loopProcessor, type ProcessorOptions } from './processor.js';
