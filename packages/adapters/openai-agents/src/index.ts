export { LoopError, openSession, type Session, type SessionOptions, type SessionSnapshot } from '@loopfuse/session';
export { type GuardedOptions, guarded } from './guarded.js';
export { loopModel, loopModelProvider, type ModelOptions } from './model.js';
export { guardedTool, loopGuardrail } from './tool.js';
