import { statSync } from 'node:fs';
import { type RecordedSession, readSessions } from '@loopfuse/formats';
import type { AgentEvent } from 'loopfuse';
import { counted } from 'loopfuse/words';
import { type Preset, presets } from '../presets.js';
import type { Shell } from '../shell.js';
import { UsageError } from '../usage-error.js';
import { cacheFolder, codeVersion, noCache, openCache } from './cache.js';
import { withoutParts } from './find-files.js';
import { logsToRead } from './logs-to-read.js';
import { scanFiles } from './scan-files.js';

/** A recorded session with its events. */
export interface OpenedSession {
  readonly session: RecordedSession;
  readonly events: readonly AgentEvent[];
}

export interface OpenOptions {
  readonly preset?: Preset;
  readonly cache: boolean;
}

const mostNamed = 10;

/**
 * Finds a session by its id, the beginning of its id, or the file that contains only this one. Searches under `paths`, or
 * in the logs of the agents on this machine. Throws `UsageError` if there is none, or more than one.
 */
export async function openSession(
  name: string,
  paths: readonly string[],
  { preset = presets[0]!, cache }: OpenOptions,
  shell: Shell,
): Promise<OpenedSession> {
  const isFile = paths.length === 0 && statSync(name, { throwIfNoEntry: false })?.isFile() === true;
  const { files } = await logsToRead(isFile ? [name] : paths, { env: shell.env });
  const found: RecordedSession[] = [];
  await scanFiles(withoutParts(files), {
    preset,
    cache: cache ? openCache(cacheFolder(shell.env), `${codeVersion()} ${preset.name}`) : noCache,
    signal: new AbortController().signal,
    onFile(_file, { reports }) {
      for (const { session } of reports) if (isFile || session.id.startsWith(name)) found.push(session);
    },
    onProgress() {},
  });
  const exact = found.filter(({ id }) => id === name);
  const [meant, ...others] = exact.length > 0 ? exact : found;
  if (meant === undefined)
    throw new UsageError(
      isFile
        ? `${JSON.stringify(name)} holds no session of a known format.`
        : `there is no session whose id begins with ${JSON.stringify(name)} in ${counted(files.length, 'file')}. List all of them with ${shell.command} scan --json.`,
    );
  if (others.length > 0) {
    const named = [meant, ...others].slice(0, mostNamed).map(({ id, file }) => `${id}  ${file}`);
    const more = others.length + 1 > mostNamed ? [`and ${others.length + 1 - mostNamed} more`] : [];
    throw new UsageError(
      [`${JSON.stringify(name)} matches several sessions. Give more of the id, or the file:`, ...named, ...more].join(
        '\n',
      ),
    );
  }
  const opened = await eventsOf(meant);
  if (opened === undefined) throw new UsageError(`${meant.file} was changed while it was read. Try again.`);
  return opened;
}

async function eventsOf({ id, file }: RecordedSession): Promise<OpenedSession | undefined> {
  const gathered = new Map<RecordedSession, AgentEvent[]>();
  let opened: OpenedSession | undefined;
  await readSessions(file, {
    onSession: (session) => void gathered.set(session, []),
    onEvent: (event, session) => void gathered.get(session)?.push(event),
    onEnd(session) {
      const events = gathered.get(session);
      gathered.delete(session);
      if (session.id === id && events) opened ??= { session, events };
    },
  });
  return opened;
}
