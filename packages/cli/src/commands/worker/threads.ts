import { Worker } from 'node:worker_threads';
import type { FileResult } from '../../recorded/scan-file.js';
import type { WorkerNews } from '../../recorded/scan-worker.js';

/** Threads that read files, so that the main thread can renew its locks on the queue meanwhile. */
export interface Threads {
  /** Rejects if the thread ended, for example out of memory. The next file gets a new one. */
  read(path: string, preset: string): Promise<FileResult>;
  end(): Promise<void>;
}

export function startThreads(): Threads {
  const idle = new Map<string, Worker[]>();
  const all = new Set<Worker>();

  function take(preset: string): Worker {
    const known = idle.get(preset)?.pop();
    if (known !== undefined) return known;
    const thread = new Worker(new URL('../../recorded/scan-worker.js', import.meta.url), { workerData: { preset } });
    all.add(thread);
    thread.once('exit', () => {
      all.delete(thread);
      idle.set(
        preset,
        (idle.get(preset) ?? []).filter((one) => one !== thread),
      );
    });
    return thread;
  }

  return {
    read: (path, preset) =>
      new Promise((resolve, reject) => {
        const thread = take(preset);
        const settle = (action: () => void): void => {
          thread.off('message', onMessage).off('error', onError).off('exit', onExit);
          action();
        };
        const onMessage = (news: WorkerNews): void => {
          if (news.type === 'events') return;
          idle.set(preset, [...(idle.get(preset) ?? []), thread]);
          settle(() => resolve(news.results[0]!.result));
        };
        const onError = (error: Error): void => settle(() => reject(error));
        const onExit = (code: number): void => settle(() => reject(new Error(`the thread ended with code ${code}`)));
        thread.on('message', onMessage).on('error', onError).on('exit', onExit);
        thread.postMessage([{ index: 0, path }]);
      }),
    async end() {
      await Promise.all([...all].map((thread) => thread.terminate()));
    },
  };
}
