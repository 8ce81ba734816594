export { sweAgent } from './swe-agent.js';
