export { LoopError, openSession, type Session, type SessionOptions, type SessionSnapshot } from '@loopfuse/session';
export { loopMiddleware, type ModelOptions } from './model.js';
export { type LoopPlugin, type LoopPluginOptions, loopHook, loopPlugin } from './plugin.js';
