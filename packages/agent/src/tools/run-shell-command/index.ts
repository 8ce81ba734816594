export * from './run-shell-command.js';
