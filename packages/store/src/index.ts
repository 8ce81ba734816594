export { withoutPassword } from './address.js';
export * from './memory.js';
export * from './open-store.js';
export * from './store.js';
