import { setImmediate } from 'node:timers/promises';
import { formats } from '@loopfuse/formats';
import { exitCode } from '../../exit-code.js';
import type { Preset } from '../../presets.js';
import type { Shell } from '../../shell.js';
import { interruption } from '../../terminal/interruption.js';
import { counted, grouped, short } from '../../terminal/numbers.js';
import { createProgress } from '../../terminal/progress.js';
import { createFaultList } from './fault-list.js';
import { type FoundFile, findFiles } from './find-files.js';
import { jsonLine } from './json-line.js';
import { scanFile } from './scan-file.js';
import type { SessionReport } from './session-report.js';
import { type Row, rowsOf, table } from './table.js';
import { addSession, startTotals, summary, type Totals } from './totals.js';

export interface ScanOptions {
  readonly preset: Preset;
  readonly json: boolean;
  readonly suspects: boolean;
  readonly failOnLoop: boolean;
}

/** How long files are read before timers and signals get their turn, in milliseconds. */
const breath = 50;

/** Reads every session under `paths` and tells which of them loop. */
export async function scan(paths: readonly string[], options: ScanOptions, shell: Shell): Promise<void> {
  const { out, err } = shell;
  const totals = startTotals();
  const rows: Row[] = [];
  const progress = createProgress(err, () => describe(totals));
  const faults = createFaultList(err);

  function onReport(report: SessionReport): void {
    addSession(totals, report);
    if (options.failOnLoop && totals.loops > 0) shell.exitCode = exitCode.looping;
    if (!options.json) {
      rows.push(...rowsOf(report, options.suspects));
      return;
    }
    progress.clear();
    void out.write(jsonLine(report));
  }

  async function read(file: FoundFile): Promise<void> {
    const { bytes, format } = await scanFile(
      file.path,
      options.preset,
      {
        onReport,
        onEvent: progress.tick,
        onFault(fault) {
          if (fault.kind === 'not-a-session' && !file.named) return;
          progress.clear();
          faults.add(fault);
        },
      },
      interrupted.signal,
    );
    totals.bytes += bytes;
    totals.filesDone++;
    if (format !== undefined) totals.filesRead++;
  }

  const found = await findFiles(paths);
  for (const fault of found.faults) faults.add(fault);
  totals.files = found.files.length;
  const interrupted = interruption();
  try {
    let breathed = Date.now();
    for (const file of found.files) {
      await read(file);
      progress.tick();
      if (Date.now() - breathed < breath) continue;
      await setImmediate();
      breathed = Date.now();
      interrupted.signal.throwIfAborted();
    }
  } catch (cause) {
    if (!interrupted.signal.aborted) throw cause;
    shell.exitCode = exitCode.interrupted;
  } finally {
    interrupted.end();
    progress.clear();
  }
  await faults.end();
  if (interrupted.signal.aborted) await err.write('Interrupted; this is what was read until then.\n');
  if (totals.sessions === 0) await err.write(`${nothingFound(totals)}\n`);
  if (options.json) return;
  if (rows.length > 0) await out.write(`${table(rows, out)}\n`);
  if (totals.sessions > 0) await out.write(summary(totals, out, options.suspects));
}

function describe({ files, filesDone, sessions, loops, bytes }: Totals): string {
  return `Scanning: ${grouped(filesDone)} of ${counted(files, 'file')}, ${counted(sessions, 'session')}, ${counted(loops, 'loop')}, ${short(bytes)}B`;
}

/** Says why there is nothing to show, and what would be. */
function nothingFound({ files, filesRead }: Totals): string {
  if (files === 0) return 'No sessions: there are no files there.';
  if (filesRead > 0)
    return `No sessions: ${counted(filesRead, 'file')} of a known format, but nothing in ${filesRead === 1 ? 'it' : 'them'}.`;
  const known = formats.map(({ name }) => name).join(', ');
  return `No sessions: ${counted(files, 'file')} looked at, none of a known format (${known}).`;
}
