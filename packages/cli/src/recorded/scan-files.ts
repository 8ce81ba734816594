import { availableParallelism } from 'node:os';
import { setImmediate } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { Preset } from '../presets.js';
import { identityOf, type ScanCache } from './cache.js';
import type { FoundFile } from './find-files.js';
import type { QueuedScan } from './queue/scan-in-queue.js';
import { rehearse, worthARehearsal } from './rehearsal.js';
import { type FileResult, scanFile } from './scan-file.js';
import type { Batch, WorkerNews, WorkerTask } from './scan-worker.js';

export interface ScanFilesOptions {
  readonly preset: Preset;
  readonly cache: ScanCache;
  /** By default as many as the processors and the size of the files justify. */
  readonly workers?: number | undefined;
  readonly signal: AbortSignal;
  /** Called for every file, in the order of `files`; the next waits for what it returns. */
  readonly onFile: (file: FoundFile, result: FileResult) => Promise<void> | void;
  /** Called often. */
  readonly onProgress: () => void;
  /** The cache could not be written, and why; the scan itself is complete. */
  readonly onCacheProblem?: (why: string) => void;
  /** Workers of other machines read the files. */
  readonly queue?: ScanQueue | undefined;
}

export interface ScanQueue extends Pick<QueuedScan, 'address' | 'paths' | 'onWaiting'> {
  /** No worker could read this many files, so they are read here. */
  readonly onRefused: (files: number, why: string) => void;
}

/** With fewer bytes for each, a thread costs more time than it saves. */
const bytesForWorker = 4 * 1024 * 1024;
/** Bytes for one thread above which compile time no longer matters. */
const worthAllCare = 1024 * 1024 * 1024;
const batchBytes = 4 * 1024 * 1024;
const batchFiles = 64;
/** How long files are read before timers and signals are handled, in milliseconds. */
const maxBlockMs = 50;

interface Work {
  readonly index: number;
  readonly file: FoundFile;
  readonly identity: string;
}

/** Scans the files that are not in the cache, in as many threads as are useful. Rejects when `signal` is aborted. */
export async function scanFiles(files: readonly FoundFile[], options: ScanFilesOptions): Promise<void> {
  const { cache, signal, onFile, onProgress } = options;
  const results = new Map<number, FileResult>();
  const work: Work[] = [];
  for (const [index, file] of files.entries()) {
    const identity = identityOf(file.path, file.stats);
    const known = cache.get(file.path, identity);
    if (known) results.set(index, known);
    else work.push({ index, file, identity });
  }

  let next = 0;
  async function report(): Promise<void> {
    for (; next < files.length; next++) {
      const result = results.get(next);
      if (result === undefined) return;
      results.delete(next);
      await onFile(files[next]!, result);
      onProgress();
      signal.throwIfAborted();
    }
  }

  function done({ index, file, identity }: Work, result: FileResult): void {
    cache.put(file.path, identity, result);
    results.set(index, result);
  }

  try {
    await report();
    const threads = Math.min(
      options.workers ?? Math.min(availableParallelism(), Math.floor(bytesOf(work) / bytesForWorker)),
      work.length,
    );
    // Some readers process a whole file synchronously: in this thread, Ctrl-C would not be noticed meanwhile.
    const isLong = work.some(({ file }) => file.stats.size >= bytesForWorker);
    if (options.queue !== undefined && work.length > 0) await inQueue(work, options.queue, options, done, report);
    else if (threads > 1 || (isLong && threads > 0)) await inThreads(threads, work, options, done, report);
    else await inThisThread(work, options, done, report);
  } finally {
    const problem = cache.save();
    if (problem !== undefined) options.onCacheProblem?.(problem);
  }
}

type Done = (work: Work, result: FileResult) => void;

async function inQueue(
  work: readonly Work[],
  { address, paths, onWaiting, onRefused }: ScanQueue,
  options: ScanFilesOptions,
  done: Done,
  report: () => Promise<void>,
): Promise<void> {
  const { scanInQueue } = await import('./queue/scan-in-queue.js');
  const byIndex = new Map(work.map((one) => [one.index, one]));
  const refused: Work[] = [];
  let firstWhy = '';
  await scanInQueue(work, {
    ...{ address, paths, onWaiting, preset: options.preset, signal: options.signal },
    async onResult(index, result) {
      done(byIndex.get(index)!, result);
      await report();
    },
    onRefused(index, why) {
      refused.push(byIndex.get(index)!);
      firstWhy ||= why;
    },
  });
  if (refused.length === 0) return;
  onRefused(refused.length, firstWhy);
  await inThisThread(refused, options, done, report);
}

async function inThisThread(
  work: readonly Work[],
  { preset, signal, onProgress }: ScanFilesOptions,
  done: Done,
  report: () => Promise<void>,
): Promise<void> {
  if (bytesOf(work) >= worthARehearsal) rehearse(preset.detectorsFor({}));
  let resumed = Date.now();
  for (const one of work) {
    done(one, await scanFile(one.file.path, preset, { signal, onEvent: onProgress }));
    await report();
    if (Date.now() - resumed < maxBlockMs) continue;
    await setImmediate();
    resumed = Date.now();
    signal.throwIfAborted();
  }
}

async function inThreads(
  threads: number,
  work: readonly Work[],
  { preset, signal, onProgress }: ScanFilesOptions,
  done: Done,
  report: () => Promise<void>,
): Promise<void> {
  const byIndex = new Map(work.map((one) => [one.index, one]));
  const batches = batchesOf(work, threads);
  const rehearses = bytesOf(work) >= threads * worthARehearsal;
  const brief = bytesOf(work) < threads * worthAllCare;
  const workers: Worker[] = [];
  let reporting = Promise.resolve();
  try {
    await new Promise<void>((resolve, reject) => {
      let underWay = 0;
      const abort = () => reject(signal.reason);
      if (signal.aborted) abort();
      signal.addEventListener('abort', abort, { once: true });

      function give(worker: Worker): void {
        const batch = batches.shift();
        if (batch === undefined) return;
        underWay++;
        worker.postMessage(batch);
      }

      for (let k = 0; k < threads && batches.length > 0; k++) {
        const worker = new Worker(new URL('./scan-worker.js', import.meta.url), {
          workerData: { preset: preset.name, rehearses, brief } satisfies WorkerTask,
        });
        workers.push(worker);
        worker.on('error', reject);
        worker.on('message', (news: WorkerNews) => {
          if (news.type === 'events') {
            for (let k = 0; k < news.count; k++) onProgress();
            return;
          }
          for (const { index, result } of news.results) done(byIndex.get(index)!, result);
          reporting = reporting.then(report);
          reporting.then(() => {
            underWay--;
            give(worker);
            if (underWay === 0) resolve();
          }, reject);
        });
        give(worker);
      }
      // A second batch for each, so that no worker has to wait for this thread.
      for (const worker of workers) give(worker);
    });
  } finally {
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
}

/** In the order of the list, so that results can be shown early; small, so that all threads end at about the same time. */
function batchesOf(work: readonly Work[], threads: number): Batch[] {
  const most = Math.min(batchBytes, bytesOf(work) / threads / 4);
  const batches: { index: number; path: string }[][] = [];
  let size = Number.POSITIVE_INFINITY;
  for (const { index, file } of work) {
    if (size + file.stats.size > most || batches.at(-1)!.length >= batchFiles) {
      batches.push([]);
      size = 0;
    }
    batches.at(-1)!.push({ index, path: file.path });
    size += file.stats.size;
  }
  return batches;
}

function bytesOf(work: readonly Work[]): number {
  return work.reduce((sum, { file }) => sum + file.stats.size, 0);
}
