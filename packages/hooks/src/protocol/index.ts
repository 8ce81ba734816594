import { claudeCode } from './claude-code.js';
import { codex } from './codex.js';
import { copilot } from './copilot.js';
import { geminiCli } from './gemini-cli.js';
import type { Protocol } from './protocol.js';
import { qwenCode } from './qwen-code.js';

/** The agents that call a command. opencode is not one of them: its plugin runs inside opencode. */
export const protocols: readonly Protocol[] = [claudeCode, codex, geminiCli, qwenCode, copilot];
