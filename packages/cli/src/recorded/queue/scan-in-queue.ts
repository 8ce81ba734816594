import { randomBytes } from 'node:crypto';
import { basename, isAbsolute, relative, resolve } from 'node:path';
import { Job, Queue, QueueEvents } from 'bullmq';
import { ownVersion } from '../../own-version.js';
import type { Preset } from '../../presets.js';
import type { FoundFile } from '../find-files.js';
import type { FileResult } from '../scan-file.js';
import { atMost, connectQueue } from './connection.js';
import { type FileAnswer, type FileJob, namedHere, queueName } from './file-job.js';

export interface QueuedScan {
  readonly address: string;
  /** The paths as the user gave them. */
  readonly paths: readonly string[];
  readonly preset: Preset;
  readonly signal: AbortSignal;
  /** A worker has read the file. */
  readonly onResult: (index: number, result: FileResult) => Promise<void>;
  /** No worker could read it; the caller has to. */
  readonly onRefused: (index: number, why: string) => void;
  /** No answer has come for a while. */
  readonly onWaiting: (workers: number) => void;
}

/** Files on the queue at the same time; limited so that Redis stays small however large the archive is. */
const mostUnderWay = 1_000;
/** How often to check for answers whose events were lost, as they are when Redis is restarted. */
const checkMs = 2_000;

/**
 * Puts files on the queue and resolves when each was read or refused. Workers may be killed and may start late. If Redis
 * loses the jobs, they are queued again.
 */
export async function scanInQueue(
  work: readonly { readonly index: number; readonly file: FoundFile }[],
  { address, paths, preset, signal, onResult, onRefused, onWaiting }: QueuedScan,
): Promise<void> {
  const { client: connection, end } = await connectQueue(address);
  const name = queueName(ownVersion());
  const queue = new Queue<FileJob, FileAnswer>(name, { connection });
  const events = new QueueEvents(name, { connection });
  const ignore = (): void => {}; // They reconnect, and `check` finds what was missed.
  queue.on('error', ignore);
  events.on('error', ignore);
  const run = randomBytes(6).toString('hex');
  const waiting = [...work].reverse();
  const underWay = new Map<string, { readonly index: number; readonly job: FileJob }>();
  let reporting = Promise.resolve();
  let lastNews = Date.now();

  function jobFor({ path, stats }: FoundFile): FileJob {
    return { path: resolve(path), under: relativeTo(paths, path), size: stats.size, preset: preset.name };
  }

  async function give(): Promise<void> {
    const batch: { id: string; job: FileJob }[] = [];
    while (underWay.size < mostUnderWay && waiting.length > 0) {
      const { index, file } = waiting.pop()!;
      const id = `${run}-${index}`;
      underWay.set(id, { index, job: jobFor(file) });
      batch.push({ id, job: underWay.get(id)!.job });
    }
    if (batch.length > 0) await queue.addBulk(batch.map(({ id, job }) => jobOf(id, job)));
  }

  /** Handles an answer once: it may come as an event and be found by `check`. */
  function take(id: string, answer: FileAnswer | undefined, failure?: string): void {
    const one = underWay.get(id);
    if (one === undefined) return;
    underWay.delete(id);
    lastNews = Date.now();
    void queue.remove(id).catch(() => {}); // It would expire by itself.
    if (answer?.type === 'read')
      reporting = reporting.then(() => onResult(one.index, namedHere(answer.result, fileOf(one.index))));
    else onRefused(one.index, answer?.why ?? failure ?? 'the answer was empty');
  }

  const files = new Map(work.map(({ index, file }) => [index, file.path]));
  const fileOf = (index: number): string => files.get(index)!;

  async function check(): Promise<void> {
    for (const [id, { job }] of underWay) {
      const found = await Job.fromId<FileJob, FileAnswer>(queue, id);
      if (!underWay.has(id)) continue; // The answer came meanwhile.
      if (found === undefined) await queue.addBulk([jobOf(id, job)]);
      else if (found.finishedOn !== undefined) take(id, found.returnvalue ?? undefined, found.failedReason);
      if (signal.aborted) return;
    }
    if (Date.now() - lastNews > 5_000) {
      lastNews = Date.now();
      onWaiting(await queue.getWorkersCount());
    }
  }

  try {
    await new Promise<void>((done, fail) => {
      const abort = (): void => fail(signal.reason);
      if (signal.aborted) abort();
      signal.addEventListener('abort', abort, { once: true });
      const goOn = (): void => {
        const step = reporting.then(give).then(() => {
          if (underWay.size === 0 && waiting.length === 0) return reporting.then(done);
        });
        step.catch(fail);
      };
      events.on('completed', ({ jobId, returnvalue }) => {
        take(jobId, returnvalue as unknown as FileAnswer);
        goOn();
      });
      events.on('failed', ({ jobId, failedReason }) => {
        take(jobId, undefined, failedReason);
        goOn();
      });
      const look = (): void => {
        if (signal.aborted || (underWay.size === 0 && waiting.length === 0)) return;
        check()
          .then(goOn, () => {})
          .finally(() => setTimeout(look, checkMs).unref());
      };
      // Events that come before somebody reads them are lost, and only `check` would find the answers.
      events.waitUntilReady().then(goOn, fail);
      setTimeout(look, checkMs).unref();
    });
  } finally {
    const left = [...underWay.keys()];
    underWay.clear();
    if (signal.aborted) await Promise.all(left.map((id) => queue.remove(id).catch(() => {})));
    await atMost(1_000, Promise.allSettled([events.close(), queue.close()]));
    end();
  }
}

/** The files of a killed worker are read by others. A file that several workers failed on is reported as failed. */
function jobOf(jobId: string, data: FileJob) {
  return { name: 'file', data, opts: { jobId, removeOnComplete: { age: 3_600 }, removeOnFail: { age: 3_600 } } };
}

function relativeTo(paths: readonly string[], file: string): string {
  for (const path of paths) {
    const under = relative(resolve(path), resolve(file));
    if (under !== '' && !under.startsWith('..') && !isAbsolute(under)) return under;
  }
  return basename(file);
}
