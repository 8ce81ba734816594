import type { AgentEvent, Json } from 'loopfuse';
import type { RecordedSession, RecordedUsage, Recorder } from '../format.js';

/** Tokens of one answer. Input counts all of the prompt, whether it came from a cache or not. */
export interface Usage {
  readonly input?: number | undefined;
  readonly output?: number | undefined;
  /** The part of the input that was read from a cache. */
  readonly cached?: number | undefined;
  /** The part of the input that was written to a cache, and the part of that which is kept for an hour. */
  readonly written?: number | undefined;
  readonly writtenLong?: number | undefined;
  /** US dollars, if the log has the cost. */
  readonly cost?: number | undefined;
  /** The model of the answer; in the main lane the default is the session's model as known so far. */
  readonly model?: string | undefined;
}

type At = number | undefined;
type Lane = string | undefined;

/** The result of a call. */
export interface Result {
  readonly id?: string | undefined;
  readonly output: Json;
  readonly failed?: boolean | undefined;
  readonly at?: At;
  readonly lane?: Lane;
  /** The name of its tool, if the log repeats it. */
  readonly tool?: string | undefined;
}

/**
 * Writes one session in the order of its log. It names calls and pairs results with them, opens and closes turns, and
 * leaves out empty texts, so that translators need not keep track of these.
 */
export interface Transcript {
  readonly session: RecordedSession;
  prompt(text: string, at?: At, lane?: Lane): void;
  /** The model's answer `key` begins, or continues if it is the last one that began. */
  turn(key: string, at?: At, lane?: Lane): void;
  text(text: string, at?: At, lane?: Lane): void;
  reasoning(text: string, at?: At, lane?: Lane): void;
  /**
   * A call. Calls without an id are paired with results in order. If the id was used before, the call gets a new id (some
   * models number their calls again in every answer, or give all calls of an answer the same id), unless the time is the
   * same too: then the log repeats itself.
   */
  call(id: string | undefined, tool: string, input: Json, at?: At, lane?: Lane): void;
  /** A result, paired by id, else with the oldest open call (of that tool, where it is named). */
  result(result: Result): void;
  /** Whether a call of this id waits for its result. */
  waits(id: string): boolean;
  /** Whether there was a call with this id. */
  knows(id: string): boolean;
  usage(usage: Usage, at?: At, lane?: Lane): void;
  /** The model's answer is complete. A result ends it too. */
  endTurn(reason?: string, at?: At, lane?: Lane): void;
  /** The user stopped the agent, in an answer or in a call. */
  interrupt(at?: At, lane?: Lane): void;
  /** The request for an answer failed, or its answer was withdrawn, and it is sent again. */
  retry(at?: At, lane?: Lane): void;
  compaction(at?: At, lane?: Lane): void;
  /** The log has ended. */
  end(): void;
}

interface Turn {
  key: string | undefined;
  open: boolean;
}

interface UsedId {
  times: number;
  at: At;
}

interface OpenCall {
  readonly id: string;
  readonly tool: string;
  readonly lane: Lane;
  readonly named: boolean;
  readonly input: Json;
  /** The answer that made it. */
  readonly answer: string | undefined;
  /** Calls of the same answer with the same id: their results come in the same order. */
  readonly twins: OpenCall[];
}

/** If more calls than this have no result, the older half is forgotten. */
const maxOpen = 10_000;
/** At most this many calls of one answer under one id are kept apart. */
const mostTwins = 64;

export function createTranscript(recorder: Recorder, session: RecordedSession): Transcript {
  const turns = new Map<string, Turn>();
  const used = new Map<string, UsedId>();
  const open = new Map<string, OpenCall>();
  let unnamed = 0;

  function emit(event: AgentEvent, at: At, lane: Lane): void {
    if (at !== undefined) event.at = at;
    if (lane !== undefined) event.lane = lane;
    recorder.emit(session, event);
  }

  function turnOf(lane: Lane): Turn {
    let turn = turns.get(lane ?? '');
    if (turn === undefined) {
      turn = { key: undefined, open: false };
      turns.set(lane ?? '', turn);
    }
    return turn;
  }

  function begin(turn: Turn, at: At, lane: Lane): void {
    if (turn.open) return;
    turn.open = true;
    emit({ type: 'turn-start' }, at, lane);
  }

  function finish(turn: Turn, reason: string | undefined, at: At, lane: Lane): void {
    if (!turn.open) return;
    turn.open = false;
    emit(reason === undefined ? { type: 'turn-end' } : { type: 'turn-end', reason }, at, lane);
  }

  /**
   * Forgets the older half of the waiting calls. Deleting one at a time would iterate over deleted entries every time.
   */
  function giveUp(): void {
    let left = maxOpen / 2;
    for (const key of open.keys()) {
      if (left-- <= 0) return;
      open.delete(key);
    }
  }

  function oldest(tool: string | undefined, lane: Lane, namedToo: boolean): string | undefined {
    let other: string | undefined;
    for (const [key, call] of open) {
      if (call.lane !== lane || (call.named && !namedToo)) continue;
      if (tool === undefined || call.tool === tool) return key;
      other ??= key;
    }
    return other;
  }

  return {
    session,
    prompt(text, at, lane) {
      const turn = turnOf(lane);
      finish(turn, undefined, at, lane);
      turn.key = undefined;
      emit({ type: 'prompt', text }, at, lane);
    },
    turn(key, at, lane) {
      const turn = turnOf(lane);
      if (turn.key === key) return;
      if (turn.key !== undefined) finish(turn, undefined, at, lane);
      turn.key = key;
      begin(turn, at, lane);
    },
    text(text, at, lane) {
      if (text !== '') emit({ type: 'text', text }, at, lane);
    },
    reasoning(text, at, lane) {
      if (text !== '') emit({ type: 'reasoning', text }, at, lane);
    },
    call(id, tool, input, at, lane) {
      const key = id ?? `call-${++unnamed}`;
      const before = used.get(key);
      const other = open.get(key);
      if (before !== undefined && at !== undefined && before.at === at && isRepeated(other, tool, input, at)) {
        recorder.skip('repeated call');
        return;
      }
      let times = (before?.times ?? 0) + 1;
      let name = before === undefined ? key : `${key}#${times}`;
      while (used.has(name)) name = `${key}#${++times}`;
      used.set(key, { times, at });
      if (name !== key) used.set(name, { times: 1, at });
      const answer = turnOf(lane).key;
      const call: OpenCall = { id: name, tool, lane, named: id !== undefined, input, answer, twins: [] };
      if (other !== undefined && answer !== undefined && isTwin(other, call)) other.twins.push(call);
      else {
        open.delete(key);
        open.set(key, call);
      }
      if (open.size > maxOpen) giveUp();
      emit({ type: 'tool-call', id: name, tool, input }, at, lane);
    },
    result({ id, output, failed, at, lane, tool }) {
      const key = id !== undefined && open.has(id) ? id : oldest(tool, lane, id === undefined);
      const call = key === undefined || (id !== undefined && key !== id && used.has(id)) ? undefined : open.get(key);
      if (key === undefined || call === undefined) {
        recorder.skip('result without a call');
        return;
      }
      const [next, ...others] = call.twins;
      if (next === undefined) open.delete(key);
      else open.set(key, { ...next, twins: others });
      finish(turnOf(call.lane), undefined, at, call.lane);
      const event: AgentEvent = { type: 'tool-result', id: call.id, output };
      if (failed !== undefined) event.failed = failed;
      emit(event, at, call.lane);
    },
    waits: (id) => open.has(id),
    knows: (id) => used.has(id),
    usage({ input = 0, output = 0, cached, written, writtenLong, cost, model }, at, lane) {
      if (input <= 0 && output <= 0) return;
      const by = model ?? (lane === undefined ? session.model : undefined);
      const event: RecordedUsage = {
        type: 'usage',
        inputTokens: Math.max(input, 0),
        outputTokens: Math.max(output, 0),
      };
      if (cached !== undefined && cached > 0) event.cachedTokens = cached;
      if (written !== undefined && written > 0) event.cacheWriteTokens = written;
      if (writtenLong !== undefined && writtenLong > 0) event.longCacheWriteTokens = writtenLong;
      if (cost !== undefined && cost > 0) event.cost = cost;
      if (by !== undefined) event.model = by;
      emit(event, at, lane);
    },
    endTurn(reason, at, lane) {
      finish(turnOf(lane), reason, at, lane);
    },
    interrupt(at, lane) {
      const turn = turnOf(lane);
      turn.open = true;
      finish(turn, 'interrupted', at, lane);
    },
    retry(at, lane) {
      const turn = turnOf(lane);
      if (!turn.open) turn.key = undefined;
      begin(turn, at, lane);
      emit({ type: 'retry' }, at, lane);
    },
    compaction(at, lane) {
      emit({ type: 'compaction' }, at, lane);
    },
    end() {
      for (const [lane, turn] of turns) finish(turn, undefined, undefined, lane === '' ? undefined : lane);
    },
  };
}

function isTwin(other: OpenCall, { answer, lane }: OpenCall): boolean {
  return other.answer === answer && other.lane === lane && other.twins.length < mostTwins;
}

/**
 * Whether a call with the id and time of an earlier call is the same call, repeated by the log. `open` is the earlier
 * call while it waits for its result. Times in whole seconds do not prove it: a model may make two calls in one second.
 */
function isRepeated(open: OpenCall | undefined, tool: string, input: Json, at: number): boolean {
  if (open === undefined) return at % 1000 !== 0;
  const text = JSON.stringify(input);
  return [open, ...open.twins].some((one) => one.tool === tool && JSON.stringify(one.input) === text);
}
