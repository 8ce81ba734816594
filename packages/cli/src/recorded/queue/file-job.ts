import type { FileResult } from '../scan-file.js';

/** What is put on the queue for each file: its name, not its content. The machines share the archive. */
export interface FileJob {
  /** Its path on the machine that scans. */
  readonly path: string;
  /** The path below the scanned folder, which may have another name on the worker's machine. */
  readonly under: string;
  readonly size: number;
  readonly preset: string;
}

/** What a worker answers. A file that it does not have is read by the machine that scans. */
export type FileAnswer =
  | { readonly type: 'read'; readonly result: FileResult }
  | { readonly type: 'absent'; readonly why: string };

/** Results of another version might mean something else, so each version has a queue of its own. */
export function queueName(version: string): string {
  return `loopfuse-scan-${version}`;
}

/** The result with the path of the file on this machine. */
export function namedHere(result: FileResult, file: string): FileResult {
  return {
    ...result,
    reports: result.reports.map((report) => ({ ...report, session: { ...report.session, file } })),
    faults: result.faults.map((fault) => ({ ...fault, file })),
  };
}
