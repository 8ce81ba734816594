export * from './open-agent.js';
export { SetUpError, type SetUpProblem } from './set-up-error.js';
