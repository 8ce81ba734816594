import fc from 'fast-check';
import { expect, test } from 'vitest';
import { unpackBlock } from './page/unpack-block.js';
import type { ReportHead, SessionSummary } from './report.js';
import { reportText, timelineBlock } from './report-text.js';
import { type PackedTimeline, type Timeline, unpackTimeline } from './timeline.js';

const template = '<html><!--sessions--><script>page</script><!--timelines--></html>';
const head: ReportHead = { version: 1, madeAt: 0, preset: 'balanced', pricesOf: '2026-01-31', sessions: 0, kinds: {} };

function session(text: string): SessionSummary {
  return { id: text, agent: text, file: text, title: text, events: 1, calls: 0, used: {}, loops: [] };
}

function timeline(text: string): Timeline {
  const counts = { novelty: 0, progress: 0, tokens: 0, calls: 1 };
  return { items: [{ type: 'call', seq: 0, last: 1, ...counts, text, input: text, result: text }] };
}

async function* listed(timelines: readonly (readonly [number, Timeline])[]) {
  for (const [place, timeline] of timelines) yield [place, timelineBlock(timeline)] as const;
}

async function pieces(sessions: readonly SessionSummary[], timelines: readonly (readonly [number, Timeline])[] = []) {
  const all: string[] = [];
  for await (const piece of reportText({ head, sessions, timelines: listed(timelines) }, template)) all.push(piece);
  return all;
}

const hostile = fc.string({
  unit: fc.oneof(
    fc.constantFrom('</script>', '<!--sessions-->', '<!--', '<script>', '\u2028', '$&', '"'),
    fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)),
  ),
});

test('the page has exactly its elements, and they contain the session, whatever its text is', async () => {
  await fc.assert(
    fc.asyncProperty(hostile, async (text) => {
      const page = (await pieces([session(text)], [[0, timeline(text)]])).join('');
      const [, packed, drawn] =
        /^<html><script type="application\/json" id="head">[^<]*<\/script>\n<script type="text\/plain" class="sessions">([\w+/=]*)<\/script>\n<script>page<\/script><script type="text\/plain" id="t0">([\w+/=]*)<\/script>\n<\/html>$/.exec(
          page,
        ) ?? [];
      expect(await unpackBlock(packed!)).toEqual([session(text)]);
      expect(unpackTimeline((await unpackBlock(drawn!)) as PackedTimeline)).toEqual(timeline(text));
    }),
    { numRuns: 50 },
  );
});

test('many sessions are written in several blocks', async () => {
  const sessions = Array.from({ length: 3000 }, (_, k) => session(`session ${k}`));
  const written = await pieces(sessions);
  const blocks = written.filter((piece) => piece.includes('class="sessions"'));
  expect(blocks.length).toBe(6);
  const read = await Promise.all(blocks.map((block) => unpackBlock(/>(.*)</.exec(block)![1]!)));
  expect(read.flat()).toEqual(sessions);
});

test('a template without places for the data is rejected', async () => {
  await expect(reportText({ head, sessions: [], timelines: listed([]) }, '<html></html>').next()).rejects.toThrow(
    'needs <!--sessions-->',
  );
});
