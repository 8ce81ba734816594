import { escapeJson } from './escape-json.js';
import { type Block, packBlock } from './pack-block.js';
import type { ReportHead, SessionSummary } from './report.js';
import { loadTemplate } from './template.js';
import { packTimeline, type Timeline } from './timeline.js';

export interface ReportSource {
  readonly head: ReportHead;
  readonly sessions: Iterable<SessionSummary>;
  /** For as many sessions as the report has room for, by their place in `sessions`; in any order. */
  readonly timelines: AsyncIterable<readonly [session: number, timeline: Block]>;
}

/** A timeline as it goes into a report: packed at once, so that those that wait to be written need little memory. */
export function timelineBlock(timeline: Timeline): Block {
  return packBlock(packTimeline(timeline));
}

/** Sessions in a block: enough to compress well, and no long string. */
const perBlock = 500;

/**
 * A report as one HTML page, piece by piece: the sessions, then the page's own script, so that it can be used while the
 * timelines, which come last, are still being read. `template` is the page without data.
 */
export async function* reportText(
  { head, sessions, timelines }: ReportSource,
  template: string = loadTemplate(),
): AsyncGenerator<string> {
  const [before, between, after] = template.split(/<!--(?:sessions|timelines)-->/);
  if (before === undefined || between === undefined || after === undefined)
    throw new TypeError('reportText: the template has no places for sessions and timelines');
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
