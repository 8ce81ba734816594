export * from './open-agent.js';
export { SetUpError, type SetUpProblem } from './set-up-error.js';
export { environmentPlaces, type Places, setUpInWords } from './set-up-words.js';
