import { userInfo } from 'node:os';
import { join } from 'node:path';
import type { Environment } from './protocol/protocol.js';

/** The user's home folder. If no variable names it, the one the system knows: `homedir()` returns an empty HOME. */
export function homeOf(env: Environment): string {
  return env.HOME || env.USERPROFILE || userInfo().homedir;
}

/** The folder for everything that hooks keep: the states of sessions, the log, and the copy of the command. */
export function hooksFolder(env: Environment): string {
  return join(homeOf(env), '.loopfuse', 'hooks');
}
