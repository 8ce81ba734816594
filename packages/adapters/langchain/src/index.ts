export { LoopError, openSession, type Session, type SessionOptions, type SessionSnapshot } from '@loopfuse/session';
export { guardModelCall, guardToolCall, type LoopInterrupt, type ModelToolCall } from './calls.js';
export { type LoopMiddlewareOptions, loopMiddleware } from './middleware.js';
