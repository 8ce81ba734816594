export * from './open-agent.js';
export { SetUpError } from './set-up-error.js';
