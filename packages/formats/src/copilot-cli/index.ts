export { copilotCli } from './copilot-cli.js';
