export { LoopError, openSession, type Session, type SessionOptions, type SessionSnapshot } from '@loopfuse/session';
export { type AskOptions, askStream, askWhole, type Send } from './ask.js';
export { guardedAnthropic, guardedGenAI, guardedOpenAI, type ModelCall, refusalOf } from './clients.js';
