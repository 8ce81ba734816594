export { exitCode } from './exit-code.js';
export { run } from './run.js';
export type { Shell } from './shell.js';
export type { Terminal } from './terminal/terminal.js';
