import { homedir } from 'node:os';

/** The user's home folder, as the terminal sees it. */
export function home(): string {
  return process.env.HOME || homedir();
}
