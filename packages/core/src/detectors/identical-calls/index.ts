export { type IdenticalCallsOptions, identicalCalls } from './identical-calls.js';
