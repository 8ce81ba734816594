import type { ReportHead, SessionSummary } from '../report.js';
import { type PackedTimeline, type Timeline, unpackTimeline } from '../timeline.js';
import { unpackBlock } from './unpack-block.js';

export interface Report {
  readonly head: ReportHead;
  readonly sessions: readonly SessionSummary[];
}

/** Reads the data in this page. They come before the running script. */
export async function readReport(): Promise<Report> {
  const head = JSON.parse(document.getElementById('head')?.textContent ?? '') as ReportHead;
  const blocks = [...document.querySelectorAll('script.sessions')];
  const parts = await Promise.all(blocks.map((block) => unpackBlock(block.textContent ?? '')));
  for (const block of blocks) block.remove();
  return { head, sessions: parts.flat() as SessionSummary[] };
}

/** The timeline of a session; undefined if the report has none. Waits until the page is loaded far enough. */
export async function readTimeline(session: number): Promise<Timeline | undefined> {
  const id = `t${session}`;
  if (document.readyState === 'loading' && document.getElementById(id)?.nextSibling == null)
    await new Promise((loaded) => document.addEventListener('DOMContentLoaded', loaded, { once: true }));
  const block = document.getElementById(id);
  if (block === null) return undefined;
  return unpackTimeline((await unpackBlock(block.textContent ?? '')) as PackedTimeline);
}
