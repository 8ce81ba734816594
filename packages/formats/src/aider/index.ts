export { aider } from './aider.js';
