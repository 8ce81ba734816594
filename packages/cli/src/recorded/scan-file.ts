import { type ReadFault, type RecordedSession, readSessions } from '@loopfuse/formats';
import type { Preset } from '../presets.js';
import { createBatch, type EventBatch } from './event-batch.js';
import { type SessionReport, scanSession } from './session-report.js';

/** The result of one file: plain JSON, so that it can come from another thread or from the cache. */
export interface FileResult {
  /** Undefined if the format is unknown. */
  readonly format?: string;
  /** It represents a session that is spread over other files as well. */
  readonly spread?: true;
  readonly bytes: number;
  readonly reports: readonly SessionReport[];
  /** The first 20, and the first one about a part of the file that was not read. */
  readonly faults: readonly FileFault[];
  readonly moreFaults: number;
}

/** `kind` is the reader's, or `watch` for a fault of our own. */
export interface FileFault extends Omit<ReadFault, 'kind'> {
  readonly kind: ReadFault['kind'] | 'watch';
}

export interface ScanFileOptions {
  readonly signal?: AbortSignal;
  /** Called often, for progress. */
  readonly onEvent?: () => void;
}

const mostFaults = 20;

/**
 * Whether a part of the file was not read: the rest of it, or a line or a value that is too long. A log whose last line is
 * incomplete is still being written, and broken or unknown lines have nothing to read.
 */
export function isUnread({ kind, line }: FileFault): boolean {
  return kind === 'unreadable' || kind === 'too-long' || (kind === 'cut' && line === undefined);
}

/** Watches every session of a file, each on its own. Rejects only when `signal` says so. */
export async function scanFile(
  file: string,
  preset: Preset,
  { signal, onEvent }: ScanFileOptions = {},
): Promise<FileResult> {
  const scans = new Map<RecordedSession, { readonly batch: EventBatch; end(): SessionReport }>();
  const reports: SessionReport[] = [];
  const faults: FileFault[] = [];
  let faultCount = 0;

  function onFault(fault: FileFault): void {
    faultCount++;
    if (faults.length < mostFaults || (isUnread(fault) && !faults.some(isUnread))) faults.push(fault);
  }

  function scanOf(session: RecordedSession) {
    const known = scans.get(session);
    if (known) return known;
    const { observe, end } = scanSession(session, preset.detectorsFor(session), ({ where, message, seq }) =>
      onFault({ file, kind: 'watch', message: `session ${session.id}, event ${seq}: ${where}: ${message}` }),
    );
    const scan = { batch: createBatch(observe), end };
    scans.set(session, scan);
    return scan;
  }

  const { bytes, format, shape } = await readSessions(
    file,
    {
      onSession: (session) => void scanOf(session),
      onEvent(event, session) {
        scanOf(session).batch.add(event);
        onEvent?.();
      },
      onEnd(session) {
        const scan = scans.get(session);
        scans.delete(session);
        if (scan === undefined) return;
        scan.batch.flush();
        reports.push(scan.end());
      },
      onFault,
    },
    signal === undefined ? {} : { signal },
  );
  const known = { ...(format === undefined ? {} : { format }), ...(shape === 'file' ? { spread: true as const } : {}) };
  return { ...known, bytes, reports, faults, moreFaults: faultCount - faults.length };
}
