import type { Readable } from 'node:stream';
import {
  createFrameReader,
  type Frame,
  isEventStream,
  parsedChunk,
  type RefusedCall,
  ranByProvider,
} from '@loopfuse/wire';
import type { AgentEvent, Decision, Json } from 'loopfuse';
import { type DeliveredCall, laned } from './answer-end.js';
import { type AnswerWatch, isClosing, watchAnswer } from './answer-watch.js';
import { type Action, noteText, stopText } from './decided.js';
import { beginningOf, bytesOf } from './flow.js';
import { note } from './lane.js';
import { gravest } from './session.js';
import { laneOf, type Turn, take } from './turn.js';
import type { UpstreamResponse } from './upstream.js';

/** Asks the upstream again on behalf of the client. */
export type AskAgain = (body: unknown) => Promise<UpstreamResponse>;

/** How a stop by the operator reaches an answer that is under way. */
export interface Halt {
  /** The message to the client, once the operator has stopped the session. */
  message?: string;
  /** The answer that is being read. */
  upstream: Readable;
  /** The client does not read any more. */
  left?: boolean;
  /** Called when no answer is read any more. */
  readonly ended: () => void;
}

/** An answer, from the place where its frames are looked at one by one. */
export interface Begun {
  readonly watch: AnswerWatch;
  readonly source: AsyncIterable<Uint8Array>;
  /** The decision about what the client has already. */
  readonly decision?: Decision | undefined;
  /** Calls that the client has already. */
  readonly calls?: readonly Extract<AgentEvent, { type: 'tool-call' }>[];
}

/** How many times the model is asked again within one answer. */
export const mostAgain = 3;
/** A call that is longer, or takes longer, is passed on before it is complete, and then cannot be refused any more. */
const mostHeldBytes = 1 << 20;
const mostHeldMs = 20_000;

/** How one answer of the upstream ended. */
type Outcome =
  | { readonly type: 'whole' }
  /** By the guard (`stopped`), or by the operator (`halted`). */
  | { readonly type: 'stopped' | 'halted'; readonly message: string }
  /** The text went in circles: the model is asked again with a note. */
  | { readonly type: 'cut'; readonly message: string }
  /** The model's calls were refused: the model is asked again with the refusals as their results. */
  | {
      readonly type: 'refused';
      readonly said: readonly Json[];
      readonly calls: readonly RefusedCall[];
      readonly rest: readonly Frame[];
    };

const encoder = new TextEncoder();

/**
 * Whether an answer comes in pieces. Some servers send events with the content type of plain text or JSON, or with
 * none; a client that wants a stream must not wait for the end of those either. If the type is JSON, the first bytes
 * decide.
 */
export async function isStreamed({ view }: Pick<Turn, 'view'>, { headers, body }: UpstreamResponse): Promise<boolean> {
  const type = headers.get('content-type');
  if (isEventStream(type) || !view.stream) return isEventStream(type);
  return !/\bjson\b/i.test(type ?? '') || /^(?:data|event|id|retry)?:/.test(await beginningOf(body));
}

/**
 * The bytes for the client. What is allowed is passed on unchanged. A refused call is answered here and the model is
 * asked again; the client sees one answer. Stops reading the upstream as soon as the client stops reading this.
 */
export async function* guardedStream(
  turn: Turn,
  first: Begun,
  askAgain: AskAgain,
  halt: Halt,
): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    yield* answers(turn, first, askAgain, halt);
  } finally {
    halt.ended();
    if (!halt.upstream.readableEnded) halt.upstream.destroy();
  }
}

async function* answers(
  turn: Turn,
  first: Begun,
  askAgain: AskAgain,
  halt: Halt,
): AsyncGenerator<Uint8Array, void, undefined> {
  const { wire } = turn;
  const { writer } = first.watch;
  let begun = first;
  let sent = turn.sent;
  for (let again = 0; ; again++) {
    const outcome: Outcome = yield* oneAnswer(turn, begun, again < mostAgain, halt);
    if (!halt.upstream.readableEnded) halt.upstream.destroy();
    if (outcome.type === 'whole') return;
    if (outcome.type === 'stopped' || outcome.type === 'halted') {
      await turn.visit.work(({ about }) => void Object.assign(about, { announced: true }));
      yield encoder.encode(writer.end(outcome.type === 'halted' ? outcome.message : stopText(outcome.message)));
      return;
    }
    const body: unknown =
      outcome.type === 'refused' ? wire.withRefusal(sent, outcome.said, outcome.calls) : await notedBody(turn, outcome);
    const next = await askAgain(body).catch(() => undefined);
    if (next === undefined || next.status !== 200 || !(await isStreamed(turn, next))) {
      // Asking the upstream again failed. After a refusal the client gets the original answer; else the answer ends
      // here.
      if (outcome.type === 'refused') yield joined(outcome.rest.map(({ bytes }) => bytes));
      else yield encoder.encode(writer.end(stopText(outcome.message)));
      return;
    }
    await turn.visit.work(
      ({ guard }) => void guard.observe(laned(turn.laneName, { type: 'turn-start', at: turn.now() })),
    );
    yield encoder.encode(writer.again());
    halt.upstream = next.body;
    begun = { watch: watchAnswer(turn, writer, again + 1), source: bytesOf(next.body) };
    sent = body;
  }
}

/** Puts a note at the end of this request, and at the same place in all that follow. */
async function notedBody({ wire, body, visit, laneName }: Turn, { message }: { message: string }): Promise<unknown> {
  return visit.work((session) => {
    const lane = laneOf(session, laneName);
    if (lane !== undefined) note(lane, wire.historyLength(body), noteText(message));
    return wire.withNotes(body, lane?.notes ?? []);
  });
}

async function* oneAnswer(
  turn: Turn,
  { watch, source, decision: early, calls: before = [] }: Begun,
  mayAskAgain: boolean,
  halt: Halt,
): AsyncGenerator<Uint8Array, Outcome, undefined> {
  const { wire, visit, laneName, observed, acts, now } = turn;
  const { reader, writer, closing, delivered, end } = watch;
  const frames = createFrameReader();
  const refused: RefusedCall[] = [];
  let held: Frame[] = [];
  let heldBytes = 0;
  let heldSince = 0;
  let begun = reader.open; // the client already has a part of the call that is being assembled

  const passed = (frame: Frame, value: unknown): Uint8Array => {
    const instead = writer.pass(value);
    return instead === undefined ? frame.bytes : encoder.encode(instead);
  };
  const release = (keepLast: boolean): Uint8Array[] => {
    const going = keepLast ? held.slice(0, -1) : held;
    held = keepLast ? held.slice(-1) : [];
    heldBytes = held.reduce((sum, { bytes }) => sum + bytes.length, 0);
    return going.map((frame) => passed(frame, parsedChunk(frame.data)));
  };

  /** Shows the guard the text of a frame and calls the provider ran. Returns its decision, unless that is allow. */
  function glance(events: readonly AgentEvent[], ran: ReadonlySet<string>): Decision | undefined {
    let decided: Decision | undefined;
    for (const event of events) {
      const isCall = event.type === 'tool-call' || event.type === 'tool-result';
      if (isCall ? !ran.has(event.id) : event.type !== 'text' && event.type !== 'reasoning') continue;
      const inLane = laned(laneName, event);
      observed?.(inLane);
      const decision = visit.glance(inLane);
      if (decision.type === 'allow') continue;
      if (!isCall) return decision;
      decided = decision; // the result of a call is shown as well
    }
    return decided;
  }

  /** The outcome of the answer after a decision about its text. Undefined if the answer goes on after all. */
  async function decided(decision: Decision, isRun = false): Promise<Outcome | undefined> {
    const action: Action = await visit.work((session) => take(session, visit.caughtUp ?? decision));
    if (action.type === 'allow') return undefined;
    turn.acted(action);
    if (isRun && action.type !== 'stop') {
      await remember(turn, action); // the provider has run it already, and the answer goes on
      return undefined;
    }
    const cutOff = action.type !== 'stop' && mayAskAgain;
    await end(!cutOff, cutOff ? cut : stopped);
    return { type: cutOff ? 'cut' : 'stopped', message: action.message };
  }

  try {
    if (before.length > 0) {
      const action = await observeCalls(turn, before, delivered);
      if (action.type !== 'allow') await remember(turn, action);
    }
    const outcome = early && (await decided(early));
    if (outcome !== undefined) return outcome;
    for await (const chunk of source) {
      if (halt.message !== undefined) break;
      const out: Uint8Array[] = [];
      for (const frame of frames.push(chunk)) {
        const value = parsedChunk(frame.data);
        const events = frame.data === undefined ? [] : reader.read(value);
        for (const event of events) if (isClosing(event)) closing.push(event);
        // Clients send their next request as soon as they have the end, so it is recorded before it is passed on.
        if (reader.complete && (frame.data === '[DONE]' || events.some(({ type }) => type === 'turn-end'))) {
          closing.push(...reader.end());
          await end(true);
        }
        if (refused.length > 0) {
          // Nothing more of this answer is passed to the client; other calls of the same turn are not run either.
          held.push(frame);
          const ran = ranByProvider(events);
          for (const event of events)
            if (event.type === 'tool-call' && !ran.has(event.id))
              refused.push({ id: event.id, tool: event.tool, text: notRun });
          continue;
        }
        const ran = events.length === 0 ? nobody : ranByProvider(events);
        const decision = events.length === 0 ? undefined : glance(events, ran);
        const outcome = decision && (await decided(decision, ran.size > 0));
        if (outcome !== undefined) {
          if (out.length > 0) yield joined(out);
          return outcome;
        }
        const calls =
          events.length === 0
            ? none
            : events.filter((event): event is CallEvent => event.type === 'tool-call' && !ran.has(event.id));
        if (!acts || (calls.length === 0 && !reader.open)) {
          if (held.length > 0) out.push(...release(false));
          out.push(passed(frame, value));
          if (calls.length > 0) await observeCalls(turn, calls, delivered);
          continue;
        }
        if (held.length === 0) heldSince = now();
        held.push(frame);
        heldBytes += frame.bytes.length;
        if (calls.length === 0) {
          if (begun || heldBytes > mostHeldBytes || now() - heldSince > mostHeldMs) {
            begun = true;
            out.push(...release(false));
          }
          continue;
        }
        const action = await observeCalls(turn, calls, delivered);
        if (action.type === 'stop') {
          turn.acted(action);
          if (out.length > 0) yield joined(out);
          delivered.length -= calls.length;
          await end(true, stopped);
          return { type: 'stopped', message: action.message };
        }
        if (action.type !== 'block' || begun) {
          if (action.type !== 'allow') await remember(turn, action);
          begun = false;
          out.push(...release(reader.open));
          continue;
        }
        turn.acted(action);
        const handedOn = delivered.length > calls.length;
        if (!handedOn && mayAskAgain) {
          delivered.length = 0;
          for (const { id, tool } of calls) refused.push({ id, tool, text: noteText(action.message) });
          await remember(turn, action, wire.historyLength(turn.body));
          continue;
        }
        // The client already has calls before it: this one is left out, and the message goes with the next request.
        delivered.length -= calls.length;
        for (const { id } of calls) writer.skipCall(id);
        held = reader.open ? held.slice(-1) : [];
        await remember(turn, action);
      }
      if (out.length > 0) yield joined(out);
    }

    if (halt.message !== undefined) return await halted(halt.message);
    const last = frames.end();
    const late = [
      ...last.flatMap(({ data }) => (data === undefined ? [] : reader.read(parsedChunk(data)))),
      ...reader.end(),
    ];
    const calls = late.filter((event) => event.type === 'tool-call');
    if (calls.length > 0 && refused.length === 0) await observeCalls(turn, calls, delivered);
    closing.push(...late.filter(isClosing));
    await end(reader.complete);
    if (refused.length > 0) return { type: 'refused', said: reader.said(), calls: refused, rest: [...held, ...last] };
    const rest = [...release(false), ...last.map((frame) => passed(frame, parsedChunk(frame.data)))];
    if (rest.length > 0) yield joined(rest);
    return { type: 'whole' };
  } catch (cause) {
    if (halt.message !== undefined) return await halted(halt.message); // We cut it ourselves.
    const isWhole = reader.complete;
    await end(isWhole, [...closing, ...reader.end()]);
    if (!isWhole && !halt.left) yield turn.brokenOff();
    throw cause;
  } finally {
    await end(reader.complete, [...closing, ...reader.end()]);
  }

  async function halted(message: string): Promise<Outcome> {
    await end(true, stopped);
    return { type: 'halted', message };
  }
}

const stopped: readonly AgentEvent[] = [{ type: 'turn-end', reason: 'stopped' }];

const cut: readonly AgentEvent[] = [{ type: 'turn-end', reason: 'cut' }];

type CallEvent = Extract<AgentEvent, { type: 'tool-call' }>;

const none: readonly CallEvent[] = [];

const nobody: ReadonlySet<string> = new Set();

const notRun =
  'This call was not run, because another call of the same turn was refused. Send it again if it is still wanted.';

/** Shows calls to the guard, in the shared state of the session; the gravest action counts for all of them. */
async function observeCalls(
  { visit, laneName, observed, now }: Turn,
  calls: readonly Extract<AgentEvent, { type: 'tool-call' }>[],
  delivered: DeliveredCall[],
): Promise<Action> {
  const stamped = calls.map((call) => laned(laneName, { ...call, at: now() }));
  for (const event of stamped) observed?.(event);
  for (const { id, tool } of calls) delivered.push({ id, tool });
  return visit.work((session) => take(session, gravest(stamped.map((event) => session.guard.observe(event))), true));
}

/** Keeps a message for the model: at a place in the history or, without one, for the next request. */
async function remember(turn: Turn, action: Action, at?: number): Promise<void> {
  if (action.type === 'allow') return;
  const text = noteText(action.message);
  await turn.visit.work((session) => {
    const lane = laneOf(session, turn.laneName);
    if (lane === undefined) return;
    if (at === undefined) lane.next = text;
    else note(lane, at, text);
  });
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  return pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces);
}
