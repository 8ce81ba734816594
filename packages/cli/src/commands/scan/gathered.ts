import type { FoundFile } from '../../recorded/find-files.js';
import { type FileResult, isUnread } from '../../recorded/scan-file.js';
import type { SessionReport } from '../../recorded/session-report.js';
import { isLooping } from '../../recorded/waste.js';
import { createCopies, type Judgement } from './copies.js';
import type { Unread } from './gaps.js';

/** The result of a scan so far. */
export interface Gathered {
  /** The sessions that count, in the order in which they were found. */
  readonly reports: ReadonlySet<SessionReport>;
  /** The loops in these sessions. */
  readonly loops: number;
  /** Copies of sessions that were counted from another file. */
  readonly copies: number;
  /** The agents of all sessions, wanted or not. */
  readonly agents: ReadonlySet<string>;
  /** Files that were named on the command line and contain no session. */
  readonly withoutSession: readonly string[];
  readonly unread: readonly Unread[];
  readonly files: FileCounts;
}

export interface FileCounts {
  readonly all: number;
  /** Files processed so far; those of a known format; those whose format could not be determined. */
  done: number;
  read: number;
  unreadable: number;
  bytes: number;
}

export interface Gathering {
  readonly gathered: Gathered;
  addFile(file: FoundFile, result: FileResult): void;
  /** Returns whether the session counts, perhaps instead of an earlier one, or is a copy. */
  addSession(report: SessionReport): Judgement;
}

/** Collects the sessions of all files. A session is counted once, by its longest copy. */
export function createGathering(all: number, unlisted: readonly Unread[]): Gathering {
  const judge = createCopies();
  const reports = new Set<SessionReport>();
  const agents = new Set<string>();
  const withoutSession: string[] = [];
  const unread: Unread[] = [...unlisted];
  const files: FileCounts = { all, done: 0, read: 0, unreadable: 0, bytes: 0 };
  let loops = 0;
  let copies = 0;

  const loopsIn = (report: SessionReport) => report.loops.filter(isLooping).length;

  return {
    gathered: {
      ...{ reports, agents, withoutSession, unread, files },
      get loops() {
        return loops;
      },
      get copies() {
        return copies;
      },
    },
    addFile({ named, path }, { bytes, format, faults, reports }) {
      files.bytes += bytes;
      files.done++;
      if (format !== undefined) files.read++;
      else if (faults.some(({ kind }) => kind === 'unreadable')) files.unreadable++;
      const missing = faults.find(isUnread);
      if (missing !== undefined) unread.push(missing);
      if (named && reports.length === 0) withoutSession.push(path);
      for (const { session } of reports) agents.add(session.agent);
    },
    addSession(found) {
      const judgement = judge(found);
      if (judgement.type === 'copy') {
        copies++;
        return judgement;
      }
      const { report, instead } = judgement;
      reports.add(report);
      loops += loopsIn(report);
      if (instead !== undefined && reports.delete(instead)) {
        loops -= loopsIn(instead);
        copies++;
      }
      return judgement;
    },
  };
}
