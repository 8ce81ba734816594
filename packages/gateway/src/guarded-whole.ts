import { parsedChunk, type RefusedCall, ranByProvider } from '@loopfuse/wire';
import type { AgentEvent } from 'loopfuse';
import { endAnswer, laned } from './answer-end.js';
import { type Action, noteText, stopText } from './decided.js';
import { mostAgain } from './guarded-stream.js';
import { note } from './lane.js';
import { gravest } from './session.js';
import { laneOf, type Turn, take } from './turn.js';
import type { UpstreamResponse } from './upstream.js';

/** An answer in one piece: that of the upstream, unchanged, or our text in its place. */
export type WholeAnswer =
  | { readonly type: 'theirs'; readonly response: UpstreamResponse; readonly bytes: Uint8Array }
  | { readonly type: 'ours'; readonly text: string };

/** Checks an answer that came in one piece. If the model is asked again, the client gets only the last answer. */
export async function guardedWhole(
  turn: Turn,
  first: { readonly response: UpstreamResponse; readonly bytes: Uint8Array },
  askAgain: (body: unknown) => Promise<typeof first | undefined>,
): Promise<WholeAnswer> {
  const { wire } = turn;
  let { response, bytes } = first;
  let sent = turn.sent;
  for (let again = 0; ; again++) {
    let unnamed = 0;
    const reader = wire.readAnswer({ nameCall: () => `${turn.context.id}-${again}-${unnamed++}`, onId: turn.onId });
    const events = [...reader.read(parsedChunk(new TextDecoder().decode(bytes))), ...reader.end()];
    const { action, calls } = await judge(turn, events);
    if (action.type !== 'allow') turn.acted(action);
    if (action.type === 'stop') {
      await turn.visit.work(({ about }) => void Object.assign(about, { announced: true }));
      return { type: 'ours', text: stopText(action.message) };
    }
    if (action.type === 'allow' || again >= mostAgain) return { type: 'theirs', response, bytes };
    const text = noteText(action.message);
    if (action.type === 'steer' && calls.length > 0) {
      await turn.visit.work((session) => void Object.assign(laneOf(session, turn.laneName) ?? {}, { next: text }));
      return { type: 'theirs', response, bytes };
    }
    const refused: RefusedCall[] = calls.map(({ id, tool }) => ({ id, tool, text }));
    const noted = await turn.visit.work((session) => {
      const lane = laneOf(session, turn.laneName);
      if (lane !== undefined) note(lane, wire.historyLength(turn.body), text);
      return wire.withNotes(turn.body, lane?.notes ?? []);
    });
    const body = refused.length > 0 ? wire.withRefusal(sent, reader.said(), refused) : noted;
    const next = await askAgain(body).catch(() => undefined);
    if (next === undefined || next.response.status !== 200) return { type: 'theirs', response, bytes };
    ({ response, bytes } = next);
    sent = body;
  }
}

async function judge(
  turn: Turn,
  events: readonly AgentEvent[],
): Promise<{ readonly action: Action; readonly calls: readonly { id: string; tool: string }[] }> {
  const { visit, laneName, observed } = turn;
  const said = events
    .filter(({ type }) => type !== 'usage' && type !== 'turn-end')
    .map((event) => laned(laneName, event));
  for (const event of said) observed?.(event);
  const action = await visit.work((session) =>
    take(session, gravest(said.map((event) => session.guard.observe(event))), said.at(-1)?.type === 'tool-call'),
  );
  const ran = ranByProvider(said);
  const calls = said.flatMap((event) =>
    event.type === 'tool-call' && !ran.has(event.id) ? [{ id: event.id, tool: event.tool }] : [],
  );
  const delivered = action.type === 'allow' ? calls : [];
  await endAnswer(
    turn,
    events.filter(({ type }) => type === 'usage' || type === 'turn-end'),
    delivered,
    true,
  );
  return { action, calls };
}
