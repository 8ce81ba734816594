export * from './bundle-path.js';
export { type HookReply, type HookRequest, runHook } from './run-hook.js';
