import { formats } from '@loopfuse/formats';
import { counted } from 'loopfuse/words';
import type { FileCounts } from './gathered.js';

/** Why there is no session to show. Of the `found` files, only those that are new enough were read. */
export function nothingFound(files: FileCounts, found: number, arePathsGiven: boolean, command: string): string {
  const { all, read, unreadable } = files;
  if (!arePathsGiven && found === 0)
    return `No agent logs found in the default locations. Name files or folders: ${command} scan PATH…`;
  if (found === 0) return 'No sessions: there are no files in what was named.';
  if (all === 0) return `No sessions: none of ${counted(found, 'file')} was written to since then.`;
  if (read > 0)
    return `No sessions: ${counted(read, 'file')} of a known format, but nothing in ${read === 1 ? 'it' : 'them'} that was asked for.`;
  if (unreadable === all)
    return `No sessions: ${all === 1 ? 'the file could not' : `none of ${counted(all, 'file')} could`} be read.`;
  const known = [...new Set(formats.map(({ name }) => name))].join(', ');
  return `No sessions: ${counted(all, 'file')} looked at, none of a known format. Known are ${known}.`;
}
