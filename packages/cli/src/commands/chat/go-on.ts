import type { Shell } from '../../shell.js';
import type { ChatFlags } from './flags.js';

/** The command that continues a session, for the user to copy. */
export function goOn({ cwd }: ChatFlags, session: string, { command }: Pick<Shell, 'command'>): string {
  return `${command} chat${cwd === undefined ? '' : ` -C ${quoted(cwd)}`} --resume ${session}`;
}

function quoted(word: string): string {
  return /^[\w./~-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
