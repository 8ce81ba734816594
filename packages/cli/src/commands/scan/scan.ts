import { counted, grouped, short } from 'loopfuse/words';
import type { Preset } from '../../presets.js';
import { cacheFolder, codeVersion, noCache, openCache } from '../../recorded/cache.js';
import { type FoundFile, withoutParts } from '../../recorded/find-files.js';
import { foundLines, logsToRead } from '../../recorded/logs-to-read.js';
import { loadPrices, type Prices } from '../../recorded/prices.js';
import { scanFiles } from '../../recorded/scan-files.js';
import type { SessionReport } from '../../recorded/session-report.js';
import { wasteOf } from '../../recorded/waste.js';
import type { Shell } from '../../shell.js';
import { interruption } from '../../terminal/interruption.js';
import { createProgress, type Progress } from '../../terminal/progress.js';
import type { Judgement } from './copies.js';
import { byCost, costliest } from './costliest.js';
import { createFaultList } from './fault-list.js';
import { type Gaps, unreadInWords } from './gaps.js';
import { createGathering, type Gathered, type Gathering } from './gathered.js';
import { jsonLine } from './json-line.js';
import { nothingFound } from './nothing-found.js';
import { exitCodeOf, type Outcome, problemOf } from './outcome.js';
import { writeEach, writeSarif, writeSummary } from './outputs.js';
import { type Row, rowsOf, table } from './table.js';
import { summary, totalsOf } from './totals.js';

export interface ScanOptions {
  readonly preset: Preset;
  readonly json: boolean;
  readonly suspects: boolean;
  readonly failOnLoop: boolean;
  /** Only sessions that were active after this time. */
  readonly since?: number | undefined;
  /** Only sessions of these agents. */
  readonly agents?: readonly string[] | undefined;
  /** Only sessions that wasted at least this many calls. */
  readonly minWaste?: number | undefined;
  /** A file of prices. */
  readonly prices?: string | undefined;
  /** Where to write a report to look at. */
  readonly html?: string | undefined;
  readonly cache: boolean;
  readonly workers?: number | undefined;
  /** The Redis of a queue from which workers take the files. */
  readonly queue?: string | undefined;
  /** Lists every loop, not only the costliest. */
  readonly all: boolean;
  /** Where to write the loops as SARIF, and where to add them as Markdown. */
  readonly sarif?: string | undefined;
  readonly summary?: string | undefined;
  /** The commands of this program, to suggest one that would have broken a loop. */
  readonly commands: ReadonlySet<string>;
}

/** Loops that are listed without `--all`. */
const mostRows = 20;

/** Reads every session under `paths`, or of every agent on this machine, and says which of them loop. */
export async function scan(paths: readonly string[], options: ScanOptions, shell: Shell): Promise<void> {
  const { err, env } = shell;
  const { since, agents, failOnLoop } = options;
  const prices = loadPrices(options.prices);
  const html = options.html === undefined ? undefined : await import('./html/report-file.js');
  html?.requirePlace(options.html!);
  const found = await logsToRead(paths, { env, agents });
  if (found.agents.length > 0) await err.write(foundLines(found.agents, err));
  // A file that was not written to since then has no events from since then.
  const files = withoutParts(
    since === undefined ? found.files : found.files.filter(({ stats }) => stats.mtimeMs >= since),
  );
  const gathering = createGathering(files.length, found.faults);
  const { gathered } = gathering;
  const isInterrupted = await read(files, gathering, { paths, options, prices, shell });

  const problem = isInterrupted
    ? undefined
    : problemOf(gathered, { agents, failOnLoop, env, found: found.files.length });
  const outcome: Outcome = { loops: gathered.loops, failOnLoop, isInterrupted, problem };
  shell.exitCode = exitCodeOf(outcome);
  if (isInterrupted) await err.write(interruptedLine(gathered));
  else if (gathered.reports.size === 0)
    await err.write(`${nothingFound(gathered.files, found.files.length, paths.length > 0, shell.command)}\n`);
  if (problem !== undefined) await err.write(`${err.paint(err.say(`error: ${problem}`), 'red')}\n`);

  const reports = [...gathered.reports];
  const rows = reports.flatMap((report) => rowsOf(report, options.suspects, prices));
  if (!options.json) await print(rows, gathered, options, prices, shell);
  const gaps: Gaps = { readBefore: isInterrupted ? filesRead(gathered) : undefined, unread: gathered.unread };
  let isCutShort = false;
  const areWritten = await writeEach(
    [
      () => writeSarif(options.sarif, rows, gaps),
      () => writeSummary(options.summary, rows, reports.length, gaps),
      async () => {
        isCutShort = (await html?.writeReportFile(reports, prices, options, gaps, shell)) === 'interrupted';
      },
    ],
    err,
  );
  shell.exitCode = exitCodeOf({
    ...outcome,
    isInterrupted: isInterrupted || isCutShort,
    isUnwritten: !areWritten,
  });
}

interface ReadContext {
  readonly paths: readonly string[];
  readonly options: ScanOptions;
  readonly prices: Prices;
  readonly shell: Shell;
}

/** Reads the files, reports their faults, and with --json prints each session. Returns whether it was interrupted. */
async function read(files: readonly FoundFile[], gathering: Gathering, context: ReadContext): Promise<boolean> {
  const { paths, options, prices, shell } = context;
  const { gathered } = gathering;
  const started = Date.now();
  const progress = createProgress(shell.err, () => describe(gathered, Date.now() - started));
  const faults = createFaultList(shell.err);
  for (const fault of gathered.unread) faults.add(fault);
  const queue = options.queue === undefined ? undefined : await import('./queue-to.js');
  const { preset, workers } = options;
  const folder = cacheFolder(shell.env);
  const interrupted = interruption();
  const { signal } = interrupted;
  try {
    await scanFiles(files, {
      ...{ preset, workers, signal },
      cache: options.cache ? openCache(folder, `${codeVersion()} ${preset.name}`) : noCache,
      onProgress: progress.tick,
      onCacheProblem: (why) => faults.add({ file: folder, message: `the next scan reads everything again: ${why}` }),
      queue: queue?.queueTo(options.queue!, paths, progress.clear, shell),
      async onFile(file, result) {
        gathering.addFile(file, result);
        for (const fault of result.faults) {
          if (fault.kind === 'not-a-session' && !file.named) continue;
          progress.clear();
          faults.add(fault);
        }
        faults.addHidden(result.moreFaults);
        for (const report of result.reports) {
          if (signal.aborted) return; // the scan has ended; its exit code must not change
          if (!isWanted(report, file, options, prices)) continue;
          const judgement = gathering.addSession(report);
          if (options.json) await printLine(report, judgement, progress, gathered, context);
        }
      },
    });
  } catch (cause) {
    if (!signal.aborted) throw cause;
  } finally {
    interrupted.end();
    progress.clear();
  }
  await faults.end();
  return signal.aborted;
}

function isWanted(report: SessionReport, { stats }: FoundFile, options: ScanOptions, prices: Prices): boolean {
  const { agent, endedAt } = report.session;
  const { agents, since, minWaste } = options;
  if (agents !== undefined && !agents.includes(agent)) return false;
  if (since !== undefined && (endedAt ?? stats.mtimeMs) < since) return false;
  return minWaste === undefined || (wasteOf(report, prices)?.calls ?? -1) >= minWaste;
}

/** A session as a line of JSON. The reader may go away at any line; the exit code is set for what was found until then. */
async function printLine(
  found: SessionReport,
  judgement: Judgement,
  progress: Progress,
  { loops }: Gathered,
  { options: { failOnLoop }, prices, shell }: ReadContext,
): Promise<void> {
  shell.exitCode = exitCodeOf({ loops, failOnLoop });
  progress.clear();
  if (judgement.type === 'copy') await shell.out.write(jsonLine(found, prices, { copyOf: judgement.of }));
  else {
    const { report, instead } = judgement;
    await shell.out.write(jsonLine(report, prices, instead && { replaces: instead.session.file }));
  }
}

/** The loops, the costliest first, with totals and remedies. */
async function print(
  rows: readonly Row[],
  { reports, loops, copies, unread, files }: Gathered,
  { all, suspects, commands }: ScanOptions,
  prices: Prices,
  { out, command }: Shell,
): Promise<void> {
  const sorted = rows.toSorted(byCost);
  const listed = all ? sorted : sorted.slice(0, mostRows);
  if (listed.length > 0) await out.write(`${table(listed, out)}\n`);
  if (listed.length < rows.length)
    await out.write(`${out.say('…')}and ${grouped(rows.length - listed.length)} more; --all lists them.\n\n`);
  if (reports.size > 0)
    await out.write(summary(totalsOf([...reports], prices), { files: files.read, copies }, out, suspects, prices));
  if (unread.length > 0) await out.write(`${out.paint(`${unreadInWords(unread)}.`, 'yellow')}\n`);
  if (loops > 0) await out.write(`\n${costliest(sorted, out, { command, commands })}`);
}

function describe({ files, reports, loops }: Gathered, passed: number): string {
  const speed = `${short(files.bytes / Math.max(0.001, passed / 1000))}B/s`;
  return `Scanning: ${grouped(files.done)} of ${counted(files.all, 'file')}, ${counted(reports.size, 'session')}, ${counted(loops, 'loop')}, ${short(files.bytes)}B, ${speed}`;
}

function interruptedLine(gathered: Gathered): string {
  if (gathered.files.done === 0) return 'Interrupted before a file was read to its end.\n';
  return `Interrupted after ${filesRead(gathered)}; this is what was in them.\n`;
}

function filesRead({ files }: Gathered): string {
  return `${grouped(files.done)} of ${counted(files.all, 'file')}`;
}
