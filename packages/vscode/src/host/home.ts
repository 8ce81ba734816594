import { homedir } from 'node:os';

/** The person's home folder, as the terminal sees it. */
export function home(): string {
  return process.env.HOME || homedir();
}
