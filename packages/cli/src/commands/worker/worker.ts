import { availableParallelism } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { withoutPassword } from '@loopfuse/store';
import { Worker } from 'bullmq';
import { counted, short } from 'loopfuse/words';
import { ownVersion } from '../../own-version.js';
import { presets } from '../../presets.js';
import { atMost, connectQueue } from '../../recorded/queue/connection.js';
import { type FileAnswer, type FileJob, queueName } from '../../recorded/queue/file-job.js';
import type { Shell } from '../../shell.js';
import { interruption } from '../../terminal/interruption.js';
import { openArchive } from './archive.js';
import { startThreads } from './threads.js';

export interface WorkOptions {
  readonly queue: string;
  readonly threads?: number | undefined;
  readonly idle?: number | undefined;
  readonly json: boolean;
}

/** A lock that was not renewed for so long expires, and another worker takes the file. */
const claimMs = 10_000;
/** A file whose workers ended this many times is returned to the scan: the file may be the cause. */
const mostClaimsLost = 3;

/** Reads files for scans until it is ended. */
export async function work(folders: readonly string[], options: WorkOptions, shell: Shell): Promise<void> {
  const { out, err } = shell;
  const archive = openArchive(folders);
  const { client: connection, end } = await connectQueue(options.queue);
  const threads = startThreads();
  const count = options.threads ?? availableParallelism();
  const read = { files: 0, bytes: 0, sessions: 0 };
  let lastJob = Date.now();
  let active = 0;

  async function onJob({ data: job }: { readonly data: FileJob }): Promise<FileAnswer> {
    active++;
    try {
      if (!presets.some(({ name }) => name === job.preset))
        return { type: 'absent', why: `a worker knows no preset ${job.preset}` };
      const found = archive.find(job);
      if ('why' in found) return { type: 'absent', why: found.why };
      const started = Date.now();
      const result = await threads.read(found.path, job.preset);
      read.files++;
      read.bytes += result.bytes;
      read.sessions += result.reports.length;
      if (options.json) {
        const { bytes, format } = result;
        const line = { file: found.path, format, bytes, sessions: result.reports.length, ms: Date.now() - started };
        await out.write(`${JSON.stringify(line)}\n`);
      }
      return { type: 'read', result };
    } finally {
      active--;
      lastJob = Date.now();
    }
  }

  const interrupted = interruption();
  const worker = new Worker<FileJob, FileAnswer>(queueName(ownVersion()), onJob, {
    connection,
    concurrency: count,
    lockDuration: claimMs,
    stalledInterval: claimMs / 2,
    maxStalledCount: mostClaimsLost,
  });
  let isReachable = true;
  worker.on('error', (error) => {
    if (isReachable)
      void err.write(`${err.say(`warning: the queue does not answer, waiting for it: ${error.message}`)}\n`);
    isReachable = false;
  });
  worker.on('ready', () => {
    isReachable = true;
  });
  await err.write(
    `Waiting for files from ${err.say(withoutPassword(options.queue))}, ${counted(count, 'thread')}. Press Ctrl-C to end.\n`,
  );
  try {
    const isIdle = (): boolean =>
      options.idle !== undefined && active === 0 && Date.now() - lastJob > options.idle * 1_000;
    await untilEnded(interrupted.signal, isIdle);
    if (active > 0) await err.write(`Ending after ${counted(active, 'file')} under way.\n`);
  } finally {
    interrupted.end();
    const closing = worker.close().catch(() => {}); // Takes no more files, and waits for those under way.
    while (active > 0) await pause(50);
    await atMost(2_000, closing);
    await threads.end();
    end();
  }
  await err.write(
    `Read ${counted(read.files, 'file')}, ${short(read.bytes)}B, ${counted(read.sessions, 'session')} for others.\n`,
  );
}

/** Resolves on Ctrl-C, on SIGTERM, or when the worker is idle for long enough. */
function untilEnded(signal: AbortSignal, isIdle: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const look = setInterval(() => {
      if (isIdle()) end();
    }, 200);
    function end(): void {
      clearInterval(look);
      process.off('SIGTERM', end);
      resolve();
    }
    process.once('SIGTERM', end);
    signal.addEventListener('abort', end, { once: true });
  });
}
