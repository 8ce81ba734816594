import { setFlagsFromString } from 'node:v8';
import { parentPort, workerData } from 'node:worker_threads';
import { presets } from '../presets.js';
import { rehearse } from './rehearsal.js';
import { type FileResult, scanFile } from './scan-file.js';

/** The options of a worker. */
export interface WorkerTask {
  readonly preset: string;
  /** Whether there is enough to read for a rehearsal. */
  readonly rehearses: boolean;
  /** Whether there is so little to read that less optimised code is faster in total. */
  readonly brief: boolean;
}

/** What a worker is sent: the places of files in the list, and their paths. */
export type Batch = readonly { readonly index: number; readonly path: string }[];
/** What it sends: a result for each file; in between, how many events it has read. */
export type WorkerNews =
  | { readonly type: 'events'; readonly count: number }
  | { readonly type: 'results'; readonly results: readonly { readonly index: number; readonly result: FileResult }[] };

/** Events between two progress messages. */
const stride = 1024;

const port = parentPort!;
const task = workerData as WorkerTask;
const preset = presets.find(({ name }) => name === task.preset)!;
// A third of the processor time of a short scan is the engine's compiling, and most of that goes into copies: of a
// function in each that calls it. The larger ones are then called instead, which costs a long scan a little.
if (task.brief) setFlagsFromString('--max-inlined-bytecode-size=150');
if (task.rehearses) rehearse(preset.detectorsFor({}));
let events = 0;

function onEvent(): void {
  if (++events % stride === 0) port.postMessage({ type: 'events', count: stride } satisfies WorkerNews);
}

async function work(batch: Batch): Promise<void> {
  const results: { index: number; result: FileResult }[] = [];
  for (const { index, path } of batch) results.push({ index, result: await scanFile(path, preset, { onEvent }) });
  port.postMessage({ type: 'results', results } satisfies WorkerNews);
}

// One batch after the other: the next may come before this one is done.
let last = Promise.resolve();
port.on('message', (batch: Batch) => {
  last = last.then(() => work(batch));
});
