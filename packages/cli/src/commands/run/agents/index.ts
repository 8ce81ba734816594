import { basename } from 'node:path';
import type { Launcher } from './agent.js';
import { anyProgram, claude, copilot, gemini, qwen } from './by-environment.js';
import { cline, pi } from './by-overlay.js';
import { codex } from './codex.js';
import { opencode } from './opencode.js';

export type { Launch, Launcher, LaunchRequest } from './agent.js';

const launchers: Readonly<Record<string, Launcher>> = { claude, codex, gemini, qwen, opencode, copilot, cline, pi };

/** How to point a program at the gateway, by its name. */
export function launcherFor(command: string): Launcher {
  const name = basename(command).replace(/\.(?:exe|cmd|[cm]?js)$/i, '');
  return Object.hasOwn(launchers, name) ? launchers[name]! : anyProgram;
}
