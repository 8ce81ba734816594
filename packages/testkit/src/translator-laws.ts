import { type Protocol, requestProblem } from '@loopfuse/model-server';
import {
  askRoute,
  createFrameReader,
  createTextRuns,
  dataIn,
  type Frame,
  historyEvents,
  isEventStream,
  parsedChunk,
  readBody,
  type Wire,
} from '@loopfuse/wire';
import fc from 'fast-check';
import { type AgentEvent, eventProblem, type Json } from 'loopfuse';
import { describe, expect, it } from 'vitest';

/** A request of a real client and its answer. */
export interface Exchange {
  readonly path: string;
  readonly contentType: string;
  readonly request: Json;
  readonly response: string;
}

export interface Traffic {
  readonly name: string;
  readonly exchanges: readonly Exchange[];
}

/** The laws of every translator of a protocol, tested on recorded traffic. */
export function translatorLaws(wire: Wire, traffic: readonly Traffic[], { runs = 15, seed }: LawSettings = {}): void {
  const all = traffic.flatMap(({ name, exchanges }) =>
    exchanges.map((exchange, nth) => [`${name}, request ${nth + 1}`, exchange] as const),
  );
  const settings = { numRuns: runs, ...(seed === undefined ? {} : { seed }) };
  const streamed = all.filter(([, { contentType }]) => isEventStream(contentType));

  describe(`the laws of ${wire.name}`, () => {
    it('has recorded traffic, streams among it', () => {
      expect(streamed.length).toBeGreaterThan(0);
    });

    it.each(all)('reads the history as sound events whose results have calls: %s', (_, { path, request }) => {
      const view = wire.readRequest(request, placeOf(path));
      const events = historyEvents(view.messages);
      expect(events.map(eventProblem).filter((problem) => problem !== undefined)).toEqual([]);
      expect(events.length).toBeGreaterThan(0);
      const calls = new Set(events.flatMap((event) => (event.type === 'tool-call' ? [event.id] : [])));
      for (const event of events) if (event.type === 'tool-result') expect(calls).toContain(event.id);
    });

    it.each(all)('reads the same answer at any cut of the bytes: %s', (_, exchange) => {
      const bytes = new TextEncoder().encode(exchange.response);
      const whole = eventsOf(wire, exchange, [bytes]);
      expect(whole.map(eventProblem).filter((problem) => problem !== undefined)).toEqual([]);
      expect(whole.at(-1)?.type).toBe('turn-end');
      fc.assert(
        fc.property(fc.array(fc.nat(bytes.length), { maxLength: 30 }), (cuts) => {
          expect(eventsOf(wire, exchange, piecesOf(bytes, cuts))).toEqual(whole);
        }),
        settings,
      );
      expect(
        eventsOf(
          wire,
          exchange,
          Array.from(bytes, (byte) => Uint8Array.of(byte)),
        ),
      ).toEqual(whole);
    });

    it.each(streamed)('reads runs of text as it reads their chunks: %s', (_, exchange) => {
      const chunks = dataIn(exchange.response);
      fc.assert(
        fc.property(fc.array(fc.nat(chunks.length), { maxLength: 30 }), (cuts) => {
          const [one, other, runs] = [wire.readAnswer(), wire.readAnswer(), createTextRuns()];
          const each = [...chunks.flatMap((chunk) => one.read(parsedChunk(chunk))), ...one.end()];
          const at = [0, ...cuts.sort((a, b) => a - b), chunks.length];
          const batches = at.slice(1).map((to, k) => chunks.slice(at[k], to));
          const together = batches.flatMap((batch) =>
            runs.values(batch).flatMap((run) => {
              const events = other.read(run.value);
              runs.learn(run, events);
              return events;
            }),
          );
          expect(joinedText([...together, ...other.end()])).toEqual(joinedText(each));
          expect(joinedText(spokenOf(other))).toEqual(joinedText(spokenOf(one)));
        }),
        settings,
      );
    });

    it.each(streamed)('passes on what is allowed unchanged: %s', (_, exchange) => {
      const frames = framesOf(new TextEncoder().encode(exchange.response));
      expect(Buffer.concat(frames.map(({ bytes }) => bytes)).toString()).toBe(exchange.response);
      const writer = wire.writeAnswer(contextOf(exchange));
      for (const { data } of frames) expect(writer.pass(parsedChunk(data))).toBeUndefined();
    });

    it.each(streamed)('has a mark wherever a call begins or the answer ends: %s', (_, exchange) => {
      const reader = wire.readAnswer();
      let marked = false;
      for (const { bytes, data } of framesOf(new TextEncoder().encode(exchange.response))) {
        const text = Buffer.from(bytes).toString();
        marked ||= wire.marks.some((mark) => text.includes(mark));
        const events = reader.read(parsedChunk(data));
        if (marked) return;
        expect(reader.open).toBe(false);
        expect(events.filter(({ type }) => type !== 'text' && type !== 'reasoning' && type !== 'usage')).toEqual([]);
      }
      expect(marked).toBe(true);
    });

    it.each(streamed)('ends an answer in order, wherever it is cut: %s', (_, exchange) => {
      const frames = framesOf(new TextEncoder().encode(exchange.response));
      fc.assert(
        fc.property(fc.nat(frames.length), fc.string({ unit: 'grapheme', minLength: 1 }), (cut, sentence) => {
          const { sent, seen } = passed(wire, exchange, frames.slice(0, untilWhole(wire, frames, cut)));
          const events = read(wire, sent + seen.end(sentence));
          expect(textOf(events).endsWith(sentence)).toBe(true);
          expect(events.filter(({ type }) => type === 'turn-end')).toHaveLength(1);
          expect((events.at(-1) as { reason?: string }).reason).toBeTypeOf('string');
        }),
        settings,
      );
    });

    it.each(streamed)('continues an answer by another one: %s', (_, exchange) => {
      const frames = framesOf(new TextEncoder().encode(exchange.response));
      const second = eventsOf(wire, exchange, [new TextEncoder().encode(exchange.response)]);
      fc.assert(
        fc.property(fc.nat(frames.length), (cut) => {
          const begun = frames.slice(0, Math.min(untilWhole(wire, frames, cut), endOf(wire, frames)));
          const { sent, seen } = passed(wire, exchange, begun);
          let all = sent + seen.again();
          for (const frame of frames) all += seen.pass(parsedChunk(frame.data)) ?? Buffer.from(frame.bytes).toString();
          const first = read(wire, sent);
          const events = read(wire, all);
          expect(textOf(events)).toBe(textOf(first) + textOf(second));
          expect(callsOf(events)).toEqual([...callsOf(first), ...callsOf(second)]);
          expect(events.filter(({ type }) => type === 'turn-end')).toHaveLength(1);
        }),
        settings,
      );
    });

    it.each(all)('writes notes into a history that stays valid and is read back: %s', (_, { path, request }) => {
      const place = placeOf(path);
      const length = wire.historyLength(request);
      expect(wire.withNotes(request, [])).toEqual(request);
      const before = wire.readRequest(request, place);
      const noted = wire.withNotes(request, [{ at: length, text: 'A note of ours.' }]);
      expect(problemOf(wire, noted, path)).toBe(problemOf(wire, request, path));
      const after = wire.readRequest(noted, place);
      expect(after.messages.at(-1)?.text.endsWith('A note of ours.')).toBe(true);
      expect(after.messages.flatMap(({ calls, results }) => [...calls, ...results])).toEqual(
        before.messages.flatMap(({ calls, results }) => [...calls, ...results]),
      );
    });

    it.each(all)('asks again after a refusal with a history that is valid: %s', (_, exchange) => {
      const reader = wire.readAnswer();
      const events = [...readWith(reader, exchange), ...reader.end()];
      const calls = callsOf(events);
      if (calls.length === 0) return;
      const refused = calls.map(({ id, tool }) => ({ id, tool, text: 'It was not run.' }));
      const body = wire.withRefusal(exchange.request, reader.said(), refused);
      expect(problemOf(wire, body, exchange.path)).toBe(problemOf(wire, exchange.request, exchange.path));
      const { messages } = wire.readRequest(body, placeOf(exchange.path));
      expect(messages.at(-1)?.results.at(-1)?.text).toBe('It was not run.');
    });

    it('reads anything without throwing', () => {
      const value = fc.oneof(fc.jsonValue(), fc.anything(), damaged(all.map(([, { request }]) => request)));
      fc.assert(
        fc.property(value, (any) => {
          const view = wire.readRequest(any);
          expect(historyEvents(view.messages).map(eventProblem)).not.toContain('an event must be an object');
          wire.historyLength(any);
          const reader = wire.readAnswer();
          reader.read(any);
          reader.said();
          reader.end();
          wire.writeAnswer({ id: 'a', created: 0, model: '', body: any }).pass(any);
        }),
        settings,
      );
      fc.assert(
        fc.property(fc.uint8Array({ maxLength: 400 }), fc.boolean(), (bytes, events) => {
          const type = events ? 'text/event-stream' : 'application/json';
          const reader = readBody(wire.readAnswer(), type);
          for (const event of [...reader.push(bytes), ...reader.end()]) expect(eventProblem(event)).toBeUndefined();
        }),
        settings,
      );
    });
  });
}

export interface LawSettings {
  readonly runs?: number;
  readonly seed?: number;
}

function eventsOf(wire: Wire, exchange: Exchange, pieces: readonly Uint8Array[]): readonly AgentEvent[] {
  const body = readBody(wire.readAnswer(), exchange.contentType);
  return [...pieces.flatMap((piece) => body.push(piece)), ...body.end()];
}

function read(wire: Wire, text: string): readonly AgentEvent[] {
  const body = readBody(wire.readAnswer(), 'text/event-stream');
  return [...body.push(new TextEncoder().encode(text)), ...body.end()];
}

function readWith(reader: ReturnType<Wire['readAnswer']>, { contentType, response }: Exchange): readonly AgentEvent[] {
  if (!isEventStream(contentType)) return reader.read(parsedChunk(response));
  return framesOf(new TextEncoder().encode(response)).flatMap(({ data }) => reader.read(parsedChunk(data)));
}

function framesOf(bytes: Uint8Array): readonly Frame[] {
  const reader = createFrameReader();
  return [...reader.push(bytes), ...reader.end()];
}

function passed(wire: Wire, exchange: Exchange, frames: readonly Frame[]) {
  const seen = wire.writeAnswer(contextOf(exchange));
  let sent = '';
  for (const { bytes, data } of frames) {
    seen.pass(parsedChunk(data));
    sent += Buffer.from(bytes).toString();
  }
  return { sent, seen };
}

/** A gateway passes on no part of a call, so the cut is moved before an incomplete call, and before the end. */
function untilWhole(wire: Wire, frames: readonly Frame[], cut: number): number {
  const reader = wire.readAnswer();
  let whole = 0;
  for (let k = 0; k < Math.min(cut, endOf(wire, frames)); k++) {
    reader.read(parsedChunk(frames[k]!.data));
    if (!reader.open) whole = k + 1;
  }
  return whole;
}

/** The index of the frame that completes the answer. */
function endOf(wire: Wire, frames: readonly Frame[]): number {
  const reader = wire.readAnswer();
  for (const [k, { data }] of frames.entries()) {
    reader.read(parsedChunk(data));
    if (reader.complete) return k;
  }
  return frames.length;
}

function contextOf({ path, request }: Exchange) {
  const { model = '' } = placeOf(path);
  return { id: 'ours', created: 0, model, body: request };
}

function placeOf(path: string) {
  const [address = '', search] = path.split('?');
  const { model, framing } = askRoute(address, search) ?? {};
  return { ...(model === undefined ? {} : { model }), stream: framing === 'events' };
}

function problemOf(wire: Wire, body: Json, path: string): string | undefined {
  return requestProblem(wire.name as Protocol, body, placeOf(path));
}

/** Joins consecutive pieces of text. */
function joinedText(events: readonly AgentEvent[]): readonly AgentEvent[] {
  const joined: AgentEvent[] = [];
  for (const event of events) {
    const last = joined.at(-1);
    if ((event.type === 'text' || event.type === 'reasoning') && last?.type === event.type)
      joined[joined.length - 1] = { ...last, text: last.text + event.text };
    else joined.push(event);
  }
  return joined;
}

/** The answer in the form in which the reader would add it to a history. */
function spokenOf(reader: ReturnType<Wire['readAnswer']>): readonly AgentEvent[] {
  return [{ type: 'text', text: JSON.stringify(reader.said()).replaceAll('"},{"text":"', '') }];
}

function textOf(events: readonly AgentEvent[]): string {
  return events.map((event) => (event.type === 'text' ? event.text : '')).join('');
}

function callsOf(events: readonly AgentEvent[]) {
  return events.flatMap((event) => (event.type === 'tool-call' ? [{ id: event.id, tool: event.tool }] : []));
}

function piecesOf(bytes: Uint8Array, cuts: readonly number[]): readonly Uint8Array[] {
  const at = [0, ...[...cuts].sort((a, b) => a - b), bytes.length];
  return at.slice(1).map((to, k) => bytes.subarray(at[k], to));
}

/** Recorded bodies with one value replaced by something else. */
function damaged(bodies: readonly Json[]): fc.Arbitrary<unknown> {
  return fc.tuple(fc.constantFrom(...bodies), fc.nat(), fc.anything()).map(([body, which, junk]) => {
    let left = which % 200;
    const walk = (value: unknown): unknown => {
      if (left-- === 0) return junk;
      if (Array.isArray(value)) return value.map(walk);
      if (value === null || typeof value !== 'object') return value;
      return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, walk(inner)]));
    };
    return walk(body);
  });
}
