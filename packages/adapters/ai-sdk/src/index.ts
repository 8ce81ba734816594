export { LoopError, openSession, type Session, type SessionOptions, type SessionSnapshot } from '@loopfuse/session';
export { loopApproval } from './approval.js';
export { type GuardableSettings, type GuardedOptions, guarded } from './guarded.js';
export { loopMiddleware, type MiddlewareOptions } from './middleware.js';
export { loopPrepareStep, type PrepareStepOptions } from './prepare-step.js';
export { loopStop } from './stop.js';
