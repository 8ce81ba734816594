export { geminiCli, geminiCliDocument } from './gemini-cli.js';
