export { loopfuseSession } from './loopfuse-session.js';
