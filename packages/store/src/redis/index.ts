export type { Health, Outcome, SavedSession, Store, StoreFault, StoreOptions, Work } from '../store.js';
export * from './redis.js';
