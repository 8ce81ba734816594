import { type ReadSummary, type RecordedSession, readSessions } from '@loopfuse/formats';
import type { Preset } from '../../presets.js';
import { type SessionReport, type SessionScan, scanSession } from './session-report.js';

/** What the scan of one file tells. Nothing here is about output, so that it can run in another thread. */
export interface FileVisitor {
  onReport(report: SessionReport): void;
  /** `kind` is the reader's, or `watch` for a fault of our own. */
  onFault(fault: { file: string; line?: number; kind: string; message: string }): void;
  /** Called often, for progress. */
  onEvent(): void;
}

/** Watches every session of a file, each on its own. Rejects only when `signal` says so. */
export async function scanFile(
  file: string,
  preset: Preset,
  visitor: FileVisitor,
  signal: AbortSignal,
): Promise<ReadSummary> {
  const scans = new Map<RecordedSession, SessionScan>();

  function scanOf(session: RecordedSession): SessionScan {
    const known = scans.get(session);
    if (known) return known;
    const scan = scanSession(session, preset.detectorsFor(session), ({ where, message, seq }) =>
      visitor.onFault({ file, kind: 'watch', message: `session ${session.id}, event ${seq}: ${where}: ${message}` }),
    );
    scans.set(session, scan);
    return scan;
  }

  return await readSessions(
    file,
    {
      onSession: (session) => void scanOf(session),
      onEvent(event, session) {
        scanOf(session).observe(event);
        visitor.onEvent();
      },
      onEnd(session) {
        const scan = scans.get(session);
        scans.delete(session);
        if (scan) visitor.onReport(scan.end());
      },
      onFault: (fault) => visitor.onFault(fault),
    },
    { signal },
  );
}
