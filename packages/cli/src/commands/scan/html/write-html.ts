import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type ReportHead, reportText } from '@loopfuse/dashboard';
import { type LoopKind, loopKinds } from 'loopfuse';
import { createMask } from '../../../recorded/mask.js';
import type { Prices } from '../../../recorded/prices.js';
import type { SessionReport } from '../../../recorded/session-report.js';
import { UsageError } from '../../../usage-error.js';
import { writeWhole } from '../../../write-whole.js';
import type { Unread } from '../gaps.js';
import { remedies } from '../remedies.js';
import { authorsOf } from './authors.js';
import { createExcerpts, type Excerpts } from './excerpts.js';
import { sessionSummary } from './session-summary.js';
import { timelinesOf } from './timelines.js';

export interface HtmlOptions {
  readonly file: string;
  readonly preset: string;
  readonly prices: Prices;
  /** What the scan was narrowed to, in words. */
  readonly narrowed?: string | undefined;
  /** What could not be read. */
  readonly unread?: readonly Unread[];
  readonly signal: AbortSignal;
  /** Called often. */
  readonly onProgress: () => void;
  /** The page without data; the one that was built unless given. */
  readonly template?: string;
}

/**
 * Writes the report of a scan, whole or not at all, and answers how many bytes it has. Throws `UsageError` where the
 * file cannot be written.
 */
export async function writeHtml(reports: readonly SessionReport[], options: HtmlOptions): Promise<number> {
  const { file, prices, signal, onProgress, narrowed, unread = [], template } = options;
  const excerpts = createExcerpts(createMask());
  const head: ReportHead = {
    version: 1,
    madeAt: Date.now(),
    preset: options.preset,
    pricesOf: prices.date,
    sessions: reports.length,
    kinds: kindWords(),
    ...(narrowed === undefined ? {} : { narrowed }),
    ...(unread.length === 0 ? {} : { unread: unreadIn(unread, excerpts) }),
  };
  const authors = authorsOf(reports.map(({ session }) => session));
  const sessions = (function* () {
    for (const [k, report] of reports.entries()) yield sessionSummary(report, prices, excerpts, authors[k]);
  })();
  const timelines = timelinesOf(reports, { excerpts, signal, onProgress });
  const text = reportText({ head, sessions, timelines }, template);
  let size = 0;
  try {
    await writeWhole(
      file,
      async (whole) => {
        const stream = createWriteStream(whole, { mode: 0o600 });
        await pipeline(Readable.from(text), stream);
        size = stream.bytesWritten;
      },
      0o600,
    );
    return size;
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    if (code === undefined || signal.aborted) throw cause;
    throw new UsageError(`the report ${JSON.stringify(file)} cannot be written: ${message}.`);
  }
}

const mostUnread = 100;
const mostWords = 300;

function unreadIn(unread: readonly Unread[], excerpts: Excerpts): NonNullable<ReportHead['unread']> {
  const text = (words: string) => excerpts.text(words, mostWords);
  const first = unread.slice(0, mostUnread);
  return { count: unread.length, first: first.map(({ file, message }) => ({ file: text(file), why: text(message) })) };
}

function kindWords(): ReportHead['kinds'] {
  return Object.fromEntries(
    Object.entries(loopKinds).map(([kind, words]) => [kind, { ...words, remedy: remedies[kind as LoopKind] }]),
  );
}
