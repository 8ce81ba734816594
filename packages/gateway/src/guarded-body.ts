import { createTextRuns, dataIn, frameEnd, framesEnd } from '@loopfuse/wire';
import type { AgentEvent, Decision } from 'loopfuse';
import { laned } from './answer-end.js';
import { isClosing, watchAnswer } from './answer-watch.js';
import { bytesOf, type Flow, flow } from './flow.js';
import { type AskAgain, guardedStream, type Halt } from './guarded-stream.js';
import { type PushedBody, pulled, type Sink } from './pushed-body.js';
import type { Turn } from './turn.js';
import type { UpstreamResponse } from './upstream.js';

/** How much text may be sent to the client before it is looked at: some ten deltas. */
const mostAhead = 2048;
/** A longer frame is looked at before it is passed on. */
const longestFrame = 1024;

/**
 * The answer for the client. Text is passed on as it arrives, and looked at a few deltas at a time: no decision depends
 * on how a stream is cut. From the first mark of a call or of the end, or after a decision other than allow, every
 * frame is looked at before it is passed on.
 *
 *     data: text   data: text   data: text   data: call   data: call   data: end
 *     └──────── here, bytes first ────────┘└────── guardedStream, frames first ──────┘
 */
export function guardedBody(turn: Turn, answer: UpstreamResponse, askAgain: AskAgain): PushedBody {
  const { wire, visit, laneName, observed } = turn;
  const { body } = answer;
  const watch = watchAnswer(turn, wire.writeAnswer(turn.context), 0);
  const runs = createTextRuns();
  const halt: Halt = { upstream: body, ended: () => stopHalting() };
  let sink: Sink;
  let reading: Flow | undefined;
  let ahead = ''; // was sent to the client, and not looked at yet
  let partial: Uint8Array = new Uint8Array(); // a frame that is not complete yet
  let rest: PushedBody | undefined; // set once frames are looked at one by one
  const stray: Extract<AgentEvent, { type: 'tool-call' }>[] = []; // calls that no mark announced

  /** Shows the guard the text in `ahead`. Returns its decision, unless that is allow. */
  function look(): Decision | undefined {
    if (ahead === '') return undefined;
    const parsed = runs.values(dataIn(ahead));
    ahead = '';
    let decided: Decision | undefined;
    let type: 'text' | 'reasoning' = 'text';
    let pending = '';
    const show = () => {
      if (pending === '') return;
      const event = laned(laneName, { type, text: pending });
      pending = '';
      observed?.(event);
      const decision = visit.glance(event);
      if (decision.type !== 'allow') decided ??= decision;
    };
    for (const run of parsed) {
      watch.writer.pass(run.value);
      const events = watch.reader.read(run.value);
      runs.learn(run, events);
      for (const event of events) {
        if (event.type === 'text' || event.type === 'reasoning') {
          if (event.type !== type) show();
          type = event.type;
          pending += event.text;
        } else if (isClosing(event)) watch.closing.push(event);
        else if (event.type === 'tool-call') stray.push(event);
      }
    }
    show();
    return decided;
  }

  function take(chunk: Uint8Array): void {
    const bytes = partial.length === 0 ? chunk : Buffer.concat([partial, chunk]);
    const whole = framesEnd(bytes);
    let from = 0;
    while (from < whole) {
      const end = whole - from <= longestFrame ? whole : frameEnd(bytes, from + longestFrame - 1);
      const to = end < 0 || end > whole ? whole : end;
      const text = textOf(bytes, from, to);
      if (to - from > 2 * longestFrame || isMarked(text)) {
        const decision = look();
        pass(bytes, 0, from);
        goOn(decision, bytes.subarray(from));
        return;
      }
      ahead += text;
      if (ahead.length > mostAhead) {
        const decision = look();
        if (decision !== undefined || stray.length > 0) {
          pass(bytes, 0, to);
          goOn(decision, bytes.subarray(to));
          return;
        }
      }
      from = to;
    }
    partial = bytes.subarray(whole);
    if (!pass(bytes, 0, whole)) reading?.pause();
    if (partial.length > 2 * longestFrame) goOn(look(), partial);
  }

  function isMarked(text: string): boolean {
    for (const mark of wire.marks) if (text.includes(mark)) return true;
    return false;
  }

  function pass(bytes: Uint8Array, from: number, to: number): boolean {
    return to <= from || sink.write(from === 0 && to === bytes.length ? bytes : bytes.subarray(from, to));
  }

  /** From now on looks at frames one by one, beginning with these bytes. */
  function goOn(decision: Decision | undefined, bytes: Uint8Array): void {
    reading?.leave();
    const source = before(bytes, body.readableEnded ? [] : bytesOf(body));
    rest = pulled(guardedStream(turn, { watch, source, decision, calls: stray }, askAgain, halt), () => {
      halt.left = true;
      halt.upstream.destroy();
    });
    rest.start(sink);
  }

  const ended = () => goOn(look(), partial);
  const failed = (cause: unknown) => {
    reading?.leave();
    stopHalting();
    look();
    const isWhole = watch.reader.complete;
    void closed().then(() => {
      // Half a frame is useless to a client, and the error would become part of it.
      sink.write(isWhole ? partial : turn.brokenOff());
      sink.fail(cause);
    });
  };
  const closed = () => watch.end(watch.reader.complete, [...watch.closing, ...watch.reader.end()]).catch(() => {});

  const stopHalting = turn.onHalt((message) => {
    halt.message = message;
    if (rest === undefined && sink !== undefined) goOn(look(), new Uint8Array());
    halt.upstream.destroy();
  });

  return {
    start(to) {
      sink = to;
      if (halt.message !== undefined) goOn(undefined, partial);
      else reading = flow(body, { data: take, end: ended, fail: failed });
    },
    resume() {
      if (rest === undefined) reading?.resume();
      else rest.resume();
    },
    cancel() {
      if (rest !== undefined) return rest.cancel();
      reading?.leave();
      stopHalting();
      look();
      body.destroy();
      void closed();
    },
  };
}

function textOf(bytes: Uint8Array, from: number, to: number): string {
  return Buffer.isBuffer(bytes) ? bytes.toString('utf8', from, to) : Buffer.from(bytes).toString('utf8', from, to);
}

async function* before(
  bytes: Uint8Array,
  body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  if (bytes.length > 0) yield bytes;
  yield* body;
}
