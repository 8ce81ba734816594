export { claudeCode } from './claude-code.js';
export { sessionLogOf, subagentLogsOf } from './subagents.js';
