import { writeFileSync } from 'node:fs';
import { formats } from '@loopfuse/formats';
import { counted, grouped, messageOf, short } from 'loopfuse/words';
import { exitCode } from '../../exit-code.js';
import type { Preset } from '../../presets.js';
import { agentNames } from '../../recorded/agent-logs.js';
import { cacheFolder, codeVersion, noCache, openCache } from '../../recorded/cache.js';
import { type FoundFile, withoutParts } from '../../recorded/find-files.js';
import { foundLines, logsToRead } from '../../recorded/logs-to-read.js';
import { loadPrices } from '../../recorded/prices.js';
import type { FileResult } from '../../recorded/scan-file.js';
import { scanFiles } from '../../recorded/scan-files.js';
import type { SessionReport } from '../../recorded/session-report.js';
import { wasteOf } from '../../recorded/waste.js';
import type { Shell } from '../../shell.js';
import { interruption } from '../../terminal/interruption.js';
import { createProgress } from '../../terminal/progress.js';
import { appendWhole, writeWhole } from '../../write-whole.js';
import { createCopies } from './copies.js';
import { byCost, costliest } from './costliest.js';
import { createFaultList } from './fault-list.js';
import { type Gaps, isUnread, type Unread, unreadInWords } from './gaps.js';
import { jsonLine } from './json-line.js';
import { type Row, rowsOf, table } from './table.js';
import { addSession, removeSession, startTotals, summary, type Totals } from './totals.js';

export interface ScanOptions {
  readonly preset: Preset;
  readonly json: boolean;
  readonly suspects: boolean;
  readonly failOnLoop: boolean;
  /** Only sessions that went on after this time. */
  readonly since?: number | undefined;
  /** Only sessions of these agents. */
  readonly agents?: readonly string[] | undefined;
  /** Only sessions that wasted so many calls. */
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
  /** The commands of this program, for the line that would have broken a loop. */
  readonly commands: ReadonlySet<string>;
}

/** More loops than this are listed when they are asked for. */
const mostRows = 20;

/** Reads every session under `paths`, or of every agent on this machine, and says which of them loop. */
export async function scan(paths: readonly string[], options: ScanOptions, shell: Shell): Promise<void> {
  const { out, err } = shell;
  const { preset, since, agents } = options;
  const prices = loadPrices(options.prices);
  const html = options.html === undefined ? undefined : await import('./html/report-file.js');
  const queue = options.queue === undefined ? undefined : await import('./queue-to.js');
  html?.requirePlace(options.html!);
  const totals = startTotals();
  let rows: Row[] = [];
  let shown: SessionReport[] = []; // for the report
  let reported: Row[] = []; // for SARIF and Markdown
  const judge = createCopies();
  const seen = new Set<string>(); // the agents of all sessions, wanted or not
  const withoutSession: string[] = []; // files that were named, and hold none
  const unread: Unread[] = [];
  let unreadable = 0; // files of which nobody can say what they are
  const started = Date.now();
  const progress = createProgress(err, () => describe(totals, Date.now() - started));
  const faults = createFaultList(err);

  async function onReport(found: SessionReport): Promise<void> {
    const judgement = judge(found);
    if (judgement.type === 'copy') {
      totals.copies++;
      if (!options.json) return;
      progress.clear();
      await out.write(jsonLine(found, prices, { copyOf: judgement.of }));
      return;
    }
    const { report, instead } = judgement;
    if (instead) takeBack(instead);
    addSession(totals, report, prices);
    if (html) shown.push(report);
    if (options.sarif !== undefined || options.summary !== undefined)
      reported.push(...rowsOf(report, options.suspects, prices));
    if (options.failOnLoop && totals.loops > 0) shell.exitCode = exitCode.looping;
    if (!options.json) {
      rows.push(...rowsOf(report, options.suspects, prices));
      return;
    }
    progress.clear();
    await out.write(jsonLine(report, prices, instead && { replaces: instead.session.file }));
  }

  /** A longer copy of the session has been found. */
  function takeBack(report: SessionReport): void {
    removeSession(totals, report, prices);
    rows = rows.filter(({ loop }) => !report.loops.includes(loop));
    reported = reported.filter(({ loop }) => !report.loops.includes(loop));
    shown = shown.filter((one) => one !== report);
  }

  function isWanted(report: SessionReport, { stats }: FoundFile): boolean {
    const { agent, endedAt } = report.session;
    if (agents !== undefined && !agents.includes(agent)) return false;
    if (since !== undefined && (endedAt ?? stats.mtimeMs) < since) return false;
    return options.minWaste === undefined || (wasteOf(report, prices)?.calls ?? -1) >= options.minWaste;
  }

  async function onFile(file: FoundFile, result: FileResult): Promise<void> {
    totals.bytes += result.bytes;
    totals.filesDone++;
    if (result.format !== undefined) totals.filesRead++;
    else if (result.faults.some(({ kind }) => kind === 'unreadable')) unreadable++;
    const missing = result.faults.find(isUnread);
    if (missing !== undefined) unread.push(missing);
    for (const fault of result.faults) {
      if (fault.kind === 'not-a-session' && !file.named) continue;
      progress.clear();
      faults.add(fault);
    }
    faults.addHidden(result.moreFaults);
    if (file.named && result.reports.length === 0) withoutSession.push(file.path);
    for (const report of result.reports) {
      seen.add(report.session.agent);
      if (isWanted(report, file)) await onReport(report);
    }
  }

  /** Why what was asked for could not be looked at: an answer "no loops" would be none. */
  function gateProblem(): string | undefined {
    const strangers = (agents ?? []).filter((agent) => !seen.has(agent) && !agentNames(shell.env).includes(agent));
    if (strangers.length > 0 && totals.sessions === 0)
      return `--agent: there is no session of ${strangers.join(', ')}. There are sessions of ${[...seen].sort().join(', ') || 'nobody'}.`;
    if (!options.failOnLoop || totals.loops > 0) return undefined;
    if (withoutSession.length > 0)
      return `--fail-on-loop: ${counted(withoutSession.length, 'file')} held no session that could be read: ${firstOf(withoutSession)}`;
    if (unread.length > 0)
      return `--fail-on-loop: ${unreadInWords(unread)}, so there may be loops in what was not: ${firstOf(unread.map(({ file }) => file))}`;
    if (seen.size === 0 && (files.length > 0 || found.files.length === 0))
      return '--fail-on-loop: there was no session to look at.';
    return undefined;
  }

  const found = await logsToRead(paths, { env: shell.env, agents });
  if (found.agents.length > 0) await err.write(foundLines(found.agents, err));
  for (const fault of found.faults) faults.add(fault);
  unread.push(...found.faults);
  // What was not written to since then holds nothing from since then.
  const files = withoutParts(
    since === undefined ? found.files : found.files.filter(({ stats }) => stats.mtimeMs >= since),
  );
  totals.files = files.length;
  const cache = options.cache ? openCache(cacheFolder(shell.env), `${codeVersion()} ${preset.name}`) : noCache;
  const interrupted = interruption();
  try {
    const { signal } = interrupted;
    const onCacheProblem = (why: string) =>
      faults.add({ file: cacheFolder(shell.env), message: `the next scan reads everything again: ${why}` });
    await scanFiles(files, {
      ...{ preset, cache, workers: options.workers, signal, onFile },
      ...{ onProgress: progress.tick, onCacheProblem },
      queue: queue?.queueTo(options.queue!, paths, progress.clear, shell),
    });
  } catch (cause) {
    if (!interrupted.signal.aborted) throw cause;
    shell.exitCode = exitCode.interrupted;
  } finally {
    interrupted.end();
    progress.clear();
  }
  await faults.end();
  const readBefore = interrupted.signal.aborted
    ? `${grouped(totals.filesDone)} of ${counted(totals.files, 'file')}`
    : undefined;
  if (readBefore !== undefined)
    await err.write(
      totals.filesDone === 0
        ? 'Interrupted before a file was read to its end.\n'
        : `Interrupted after ${readBefore}; this is what was in them.\n`,
    );
  else if (totals.sessions === 0)
    await err.write(`${nothingFound(totals, unreadable, paths, found.files.length, shell)}\n`);
  const problem = interrupted.signal.aborted ? undefined : gateProblem();
  if (problem !== undefined) {
    await err.write(`${err.paint(err.say(`error: ${problem}`), 'red')}\n`);
    shell.exitCode = exitCode.usage;
  }
  rows.sort(byCost);
  const listed = options.all ? rows : rows.slice(0, mostRows);
  if (listed.length > 0) await out.write(`${table(listed, out)}\n`);
  if (listed.length < rows.length)
    await out.write(`${out.say('…')}and ${grouped(rows.length - listed.length)} more; --all lists them.\n\n`);
  if (totals.sessions > 0 && !options.json) await out.write(summary(totals, out, options.suspects, prices));
  if (unread.length > 0 && !options.json) await out.write(`${out.paint(`${unreadInWords(unread)}.`, 'yellow')}\n`);
  if (totals.loops > 0 && !options.json)
    await out.write(`\n${costliest(rows, out, { command: shell.command, commands: options.commands })}`);
  // Each output is tried: one that cannot be written does not cost the others.
  const gaps: Gaps = { readBefore, unread };
  const outputs: (() => Promise<void>)[] = [
    () => writeSarif(options.sarif, reported, gaps),
    () => writeSummary(options.summary, reported, totals.sessions, gaps),
    async () => html?.writeReportFile(shown, prices, options, gaps, shell),
  ];
  for (const write of outputs) {
    try {
      await write();
    } catch (cause) {
      await err.write(`${err.paint(err.say(`error: ${messageOf(cause)}`), 'red')}\n`);
      if (shell.exitCode === exitCode.fine) shell.exitCode = exitCode.failed;
    }
  }
}

async function writeSarif(file: string | undefined, rows: readonly Row[], gaps: Gaps): Promise<void> {
  if (file === undefined) return;
  const { sarif } = await import('./sarif.js');
  const text = sarif(rows, process.cwd(), gaps);
  await named('--sarif', file, () => writeWhole(file, (whole) => writeFileSync(whole, text)));
}

async function writeSummary(
  file: string | undefined,
  rows: readonly Row[],
  sessions: number,
  gaps: Gaps,
): Promise<void> {
  if (file === undefined) return;
  const { markdownSummary } = await import('./markdown-summary.js');
  await named('--summary', file, () => appendWhole(file, markdownSummary(rows, sessions, gaps)));
}

/** Whatever goes wrong is said with the option and the file. */
async function named(option: string, file: string, write: () => void | Promise<void>): Promise<void> {
  try {
    await write();
  } catch (cause) {
    throw new Error(`${option}: ${JSON.stringify(file)} could not be written: ${messageOf(cause)}`);
  }
}

function firstOf(files: readonly string[]): string {
  const most = 3;
  return `${files.slice(0, most).join(', ')}${files.length > most ? ` and ${grouped(files.length - most)} more` : ''}`;
}

function describe({ files, filesDone, sessions, loops, bytes }: Totals, passed: number): string {
  const speed = `${short(bytes / Math.max(0.001, passed / 1000))}B/s`;
  return `Scanning: ${grouped(filesDone)} of ${counted(files, 'file')}, ${counted(sessions, 'session')}, ${counted(loops, 'loop')}, ${short(bytes)}B, ${speed}`;
}

/** Says why there is nothing to show, and what would be. */
function nothingFound(
  { files, filesRead }: Totals,
  unreadable: number,
  paths: readonly string[],
  found: number,
  shell: Shell,
): string {
  if (paths.length === 0 && found === 0)
    return `No agent logs found in the default locations. Name files or folders: ${shell.command} scan PATH…`;
  if (found === 0) return 'No sessions: there are no files in what was named.';
  if (files === 0) return `No sessions: none of ${counted(found, 'file')} was written to since then.`;
  if (filesRead > 0)
    return `No sessions: ${counted(filesRead, 'file')} of a known format, but nothing in ${filesRead === 1 ? 'it' : 'them'} that was asked for.`;
  if (unreadable === files)
    return `No sessions: ${files === 1 ? 'the file could not' : `none of ${counted(files, 'file')} could`} be read.`;
  const known = [...new Set(formats.map(({ name }) => name))].join(', ');
  return `No sessions: ${counted(files, 'file')} looked at, none of a known format. Known are ${known}.`;
}
