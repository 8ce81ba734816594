import { statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { counted, grouped, short } from 'loopfuse/words';
import { onDay } from '../../../recorded/amounts.js';
import type { Prices } from '../../../recorded/prices.js';
import type { SessionReport } from '../../../recorded/session-report.js';
import type { Shell } from '../../../shell.js';
import { interruption } from '../../../terminal/interruption.js';
import { createProgress } from '../../../terminal/progress.js';
import { UsageError } from '../../../usage-error.js';
import type { Gaps } from '../gaps.js';
import type { ScanOptions } from '../scan.js';
import { writeHtml } from './write-html.js';

/** Throws `UsageError` at the start if the report could not be written. */
export function requirePlace(file: string): void {
  if (isFolder(file))
    throw new UsageError(`the report cannot be written to ${JSON.stringify(file)}: it is a folder. Name a file in it.`);
  const folder = dirname(resolve(file));
  if (!isFolder(folder))
    throw new UsageError(`the report ${JSON.stringify(file)} cannot be written: there is no folder ${folder}.`);
}

/** False also if the path cannot be read, for example because a part of it is a file. */
function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

/** Writes the report of a scan with a progress line, and prints its place, or that it has no sessions to show. */
export async function writeReportFile(
  reports: readonly SessionReport[],
  prices: Prices,
  options: ScanOptions,
  gaps: Gaps,
  shell: Shell,
): Promise<'written' | 'empty' | 'interrupted'> {
  const { err } = shell;
  const file = options.html!;
  if (reports.length === 0) {
    await err.write(`No report was written to ${err.say(file)}: there is no session to show in it.\n`);
    return 'empty';
  }
  let events = 0;
  const progress = createProgress(err, () => `Writing the report: ${counted(events, 'event')} drawn`);
  const interrupted = interruption();
  try {
    const bytes = await writeHtml(reports, {
      file,
      prices,
      preset: options.preset.name,
      narrowed: narrowed(options, gaps),
      unread: gaps.unread,
      signal: interrupted.signal,
      onProgress() {
        events++;
        progress.tick();
      },
    });
    progress.clear();
    await err.write(`Report of ${counted(reports.length, 'session')}: ${err.say(file)}, ${short(bytes)}B\n`);
    return 'written';
  } catch (cause) {
    progress.clear();
    if (!interrupted.signal.aborted) throw cause;
    await err.write('The report was not written: interrupted.\n');
    return 'interrupted';
  } finally {
    interrupted.end();
  }
}

/** The filters of the scan, in words. */
function narrowed({ since, agents, minWaste }: ScanOptions, { readBefore }: Gaps): string | undefined {
  const parts = [
    ...(since === undefined ? [] : [`since ${onDay(since)}`]),
    ...(agents === undefined ? [] : [`of ${agents.join(', ')}`]),
    ...(minWaste === undefined ? [] : [`with at least ${grouped(minWaste)} calls in loops`]),
    ...(readBefore === undefined ? [] : [`of ${readBefore}: the scan was interrupted`]),
  ];
  return parts.length === 0 ? undefined : `sessions ${parts.join(', ')}`;
}
