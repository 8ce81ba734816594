import { escapeJson } from './escape-json.js';
import { type Block, packBlock } from './pack-block.js';
import type { ReportHead, SessionSummary } from './report.js';
import { loadTemplate } from './template.js';
import { packTimeline, type Timeline } from './timeline.js';

export interface ReportSource {
  readonly head: ReportHead;
  readonly sessions: Iterable<SessionSummary>;
  /** For as many sessions as the report has room for, with their index in `sessions`; in any order. */
  readonly timelines: AsyncIterable<readonly [session: number, timeline: Block]>;
}

/** A timeline packed for a report. Packing it early saves memory while it waits to be written. */
export function timelineBlock(timeline: Timeline): Block {
  return packBlock(packTimeline(timeline));
}

/** Sessions in a block: enough to compress well, without long strings. */
const perBlock = 500;

/**
 * A report as one HTML page, in pieces: the sessions, then the page's script, then the timelines, so that the page can be used
 * while the timelines are still loading. `template` is the page without data.
 */
export async function* reportText(
  { head, sessions, timelines }: ReportSource,
  template: string = loadTemplate(),
): AsyncGenerator<string> {
  const [before, between, after] = template.split(/<!--(?:sessions|timelines)-->/);
  if (before === undefined || between === undefined || after === undefined)
    throw new TypeError('reportText: the template needs <!--sessions--> and <!--timelines-->');
  yield before;
  yield `<script type="application/json" id="head">${escapeJson(head)}</script>\n`;
  let block: SessionSummary[] = [];
  for (const session of sessions) {
    if (block.push(session) < perBlock) continue;
    yield sessionBlock(packBlock(block));
    block = [];
  }
  if (block.length > 0) yield sessionBlock(packBlock(block));
  yield between;
  for await (const [session, timeline] of timelines)
    yield `<script type="text/plain" id="t${session}">${timeline}</script>\n`;
  yield after;
}

function sessionBlock(packed: Block): string {
  return `<script type="text/plain" class="sessions">${packed}</script>\n`;
}
