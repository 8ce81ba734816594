import type { AgentEvent } from 'loopfuse';
import { messageOf } from 'loopfuse/words';
import type { ResultStatus, ToolCall } from '../history/message.js';
import { retryInWords } from '../model/error-in-words.js';
import { addPart, markDelta, type Piece, type Usage } from '../turn/draft.js';
import { nameOf } from './ask.js';
import type { ModelName } from './client-event.js';
import type { OpenTurn } from './open-turn.js';
import { remark } from './remark.js';
import type { Events, Run, TurnEnd } from './run.js';
import { addUsage } from './state.js';

/** The answer is saved this often while the model writes, in milliseconds. A killed process loses no more than that. */
const keepEvery = 2000;

/**
 * One request to the model. Text and calls are each checked before they are passed on. Returns how the turn ends, or
 * `undefined` when there are calls to run, which are added to `calls`.
 */
export async function* listen(run: Run, open: OpenTurn, calls: ToolCall[]): Events<TurnEnd | undefined> {
  const { ask, state, trace } = run;
  let reason = 'unknown';
  let usage: Usage | undefined;
  let end: TurnEnd | undefined;
  let keptAt = Date.now();
  const stronger = run.takeStronger();
  const by = stronger === undefined ? undefined : nameOf(stronger.model);
  if (by) open.model = by.model;
  trace({ type: 'model-start', purpose: 'turn', ...(by ?? ask.name) });
  try {
    for await (const part of ask.turn(state.history, run.signal, stronger)) {
      const piece = addPart(open.draft, part);
      if (piece === undefined) continue;
      if (piece.type === 'usage') {
        usage = piece.usage;
        open.usage = usage;
      }
      if (piece.type === 'finish') {
        reason = piece.reason;
        open.at = Date.now();
      }
      end = yield* receive(run, open, calls, piece, by);
      if (end) return end;
      if (Date.now() - keptAt < keepEvery) continue;
      yield* run.saved();
      keptAt = Date.now();
    }
  } finally {
    const error = end?.type === 'error' ? { error: run.mask(messageOf(end.error)) } : {};
    trace({ type: 'model-end', purpose: 'turn', reason, ...(usage ? { usage } : {}), ...error });
  }
  if (run.signal.aborted) return { type: 'cancelled' };
  return calls.length > 0 || open.results.size > 0 ? undefined : { type: 'finished', reason };
}

async function* receive(
  run: Run,
  open: OpenTurn,
  calls: ToolCall[],
  piece: Piece,
  by: ModelName | undefined,
): Events<TurnEnd | undefined> {
  switch (piece.type) {
    case 'text':
    case 'reasoning':
      return yield* words(run, open, piece);
    case 'tool-call':
      return yield* call(run, open, calls, piece);
    case 'usage': {
      const { state } = run;
      const { usage } = piece;
      const { reasoningTokens: _, ...tokens } = usage;
      state.usage = addUsage(state.usage, usage);
      state.context = { tokens: usage.inputTokens + usage.outputTokens, messages: state.history.length + 1 };
      const decision = yield* run.check({ type: 'usage', ...tokens });
      yield { type: 'token-usage', usage, total: state.usage, ...(by === undefined ? {} : { by }) };
      return yield* run.apply(decision);
    }
    case 'finish':
      return yield* run.apply(yield* run.check({ type: 'turn-end', reason: piece.reason }));
    case 'retry':
      yield remark(run.state, { type: 'warning', message: run.mask(retryInWords(piece)) });
      return undefined;
    case 'error':
      return { type: 'error', error: piece.error };
    case 'abort':
      return { type: 'cancelled' };
  }
}

/** A model cannot read a note while it writes, and shown text cannot be taken back. On any decision the answer is cut off. */
async function* words(
  run: Run,
  open: OpenTurn,
  piece: Extract<Piece, { type: 'text' | 'reasoning' }>,
): Events<TurnEnd | undefined> {
  const decision = yield* run.check(piece);
  markDelta(open.draft, run.sentry.seq, piece.text);
  if (decision.type === 'allow') {
    yield* run.apply(decision);
    yield { type: piece.type === 'text' ? 'content' : 'reasoning', text: piece.text };
    return undefined;
  }
  const cut = decision.findings[0].onset;
  const end = yield* run.apply(decision);
  if (end?.type === 'halt') return { ...end, cut };
  // Removed rounds are stored whole for the user. Otherwise the model reads its text up to the point where it repeats.
  run.settle('interrupted', 'the answer was cut short', decision.type === 'rewind' ? undefined : cut);
  yield* run.rewindDue();
  return { type: 'again' };
}

async function* call(
  run: Run,
  open: OpenTurn,
  calls: ToolCall[],
  { call: made, problem }: Extract<Piece, { type: 'tool-call' }>,
): Events<TurnEnd | undefined> {
  const { id, tool } = made;
  const decision = yield* run.check({ type: 'tool-call', ...made });
  if (decision.type === 'ask' || decision.type === 'stop') return { type: 'halt', decision };
  const title = run.titleOf(made);
  open.titles.set(id, title);
  yield { type: 'tool-call-request', call: made, title };
  if (decision.type === 'block') {
    yield* run.give({ id, tool, output: decision.message, status: 'blocked' });
    yield* run.steer(decision, id);
    return undefined;
  }
  yield* run.apply(decision);
  if (decision.type === 'rewind' || decision.type === 'escalate') {
    // None of the calls of this answer has started, and none will.
    run.settle('interrupted', decision.type === 'rewind' ? 'it repeats what was tried' : 'another model takes over');
    yield* run.rewindDue();
    return { type: 'again' };
  }
  if (problem === undefined) {
    calls.push(made);
    return undefined;
  }
  const answer = yield* run.check(resultEvent(id, problem, 'failed'));
  yield* run.give({ id, tool, output: problem, status: 'failed' });
  return yield* run.apply(answer);
}

export function resultEvent(id: string, output: string, status: ResultStatus): AgentEvent {
  return { type: 'tool-result', id, output, failed: status !== 'ok' };
}
