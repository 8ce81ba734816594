/** Recorded sessions as turns that can be played again: what the model answered, what the tools gave back, and when. */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { readSessions } from '../../packages/formats/dist/index.js';

/**
 * @typedef {{ calls: { id: string; tool: string; input: unknown }[]; text: string; deltas: number; gapMs: number | undefined;
 *   results: { id: string; text: string }[] }} Turn
 * @typedef {{ prompt: string; turns: Turn[] }} Recorded
 */

/** Longer pauses are a person who went away. */
const longestGapMs = 120_000;

/** @returns {Promise<Recorded[]>} */
export async function recordedSessions(path) {
  const sessions = [];
  for (const file of filesIn(path)) {
    const open = new Map();
    await readSessions(file, {
      onSession: (session) => void open.set(session, { prompt: '', turns: [], at: undefined, answering: false }),
      onEvent: (event, session) => take(open.get(session), event),
      onEnd(session) {
        const { prompt, turns } = open.get(session);
        open.delete(session);
        if (turns.length >= 3) sessions.push({ prompt: prompt || 'Go on.', turns });
      },
      onFault() {},
    });
  }
  return sessions;
}

function take(one, event) {
  if (event.lane !== undefined) return; // One line of work is enough.
  if (event.type === 'prompt') one.prompt ||= event.text ?? '';
  if (event.type === 'text' || event.type === 'reasoning' || event.type === 'tool-call') {
    if (!one.answering) {
      const gap = one.at === undefined || event.at === undefined ? undefined : event.at - one.at;
      const gapMs = gap !== undefined && gap > 0 && gap <= longestGapMs ? gap : undefined;
      one.turns.push({ calls: [], text: '', deltas: 0, gapMs, results: [] });
      one.at = event.at ?? one.at;
      one.answering = true;
    }
    const turn = one.turns.at(-1);
    if (event.type === 'tool-call') turn.calls.push({ id: event.id, tool: event.tool, input: event.input });
    else turn.text += event.text;
  }
  if (event.type === 'tool-result' && one.turns.length > 0) {
    one.answering = false;
    const text = typeof event.output === 'string' ? event.output : JSON.stringify(event.output ?? '');
    one.turns.at(-1).results.push({ id: event.id, text });
  }
  if (event.type === 'prompt' || event.type === 'turn-end') one.answering = false;
}

function filesIn(path) {
  if (statSync(path).isFile()) return [path];
  return readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() || /\.jsonl(\.gz)?$/.test(entry.name))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => (entry.isDirectory() ? filesIn(join(path, entry.name)) : [join(path, entry.name)]));
}

/** How often a live session asks, and how much it sends: what everything else is multiplied with. */
export function ratesOf(sessions) {
  const gaps = sessions.flatMap(({ turns }) => turns.flatMap(({ gapMs }) => (gapMs === undefined ? [] : [gapMs])));
  const requests = sessions.reduce((sum, { turns }) => sum + turns.length, 0);
  let bytes = 0;
  let answered = 0;
  for (const { prompt, turns } of sessions) {
    let history = prompt.length;
    for (const { text, calls, results } of turns) {
      bytes += history;
      const answer = text.length + JSON.stringify(calls).length;
      answered += answer;
      history += answer + results.reduce((sum, one) => sum + one.text.length, 0);
    }
  }
  gaps.sort((a, b) => a - b);
  const mean = gaps.reduce((a, b) => a + b, 0) / Math.max(1, gaps.length);
  return {
    sessions: sessions.length,
    requests,
    timedRequests: gaps.length,
    secondsBetweenRequests: mean / 1_000,
    medianSecondsBetweenRequests: (gaps[gaps.length >> 1] ?? 0) / 1_000,
    requestsPerSessionSecond: gaps.length === 0 ? Number.NaN : 1_000 / mean,
    requestBytes: bytes / requests,
    answerBytes: answered / requests,
  };
}
