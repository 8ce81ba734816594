import { guardTurn, type Session } from '@loopfuse/session';
import type { AnswerContext, AnswerReader, Wire } from '@loopfuse/wire';
import type { AgentEvent } from 'loopfuse';
import { entriesOf, histories, messagesOf, requestEvents } from './translate.js';

export interface AskOptions {
  /** The name of the model that answers once when the guard escalates. Without it the model gets a message instead. */
  readonly escalateTo?: string | undefined;
}

/** Sends a body that we have changed. */
export type Send<Answer> = (body: never) => PromiseLike<Answer> | Answer;

/** Calls of the latest answer without an id, which Gemini allows, with the ids that they get by their place. */
const unnamed = new WeakMap<Session, { readonly id: string; readonly tool: string }[]>();

/** The id of the next call of this tool that had none. */
export function nameOfCall(session: Session, tool: string): string | undefined {
  const calls = unnamed.get(session) ?? [];
  const place = calls.findIndex((call) => call.tool === tool);
  return place < 0 ? undefined : calls.splice(place, 1)[0]?.id;
}

type Reader = Pick<AnswerReader, 'read' | 'end'>;

/**
 * Reads an answer. Calls without an id get the id that they will have in the next request, by their place in the
 * history.
 */
function readerFor(session: Session, wire: Wire, body: object): Reader {
  let place: number | undefined; // counted when it is first needed: most providers give every call an id
  const named: { id: string; tool: string }[] = [];
  unnamed.set(session, named);
  const names = new Set<string>();
  const nameCall = () => {
    place ??= placesIn(wire, body);
    const id = `place-${place++}`;
    names.add(id);
    return id;
  };
  const reader = wire.readAnswer({ nameCall });
  const note = (events: readonly AgentEvent[]) => {
    for (const event of events)
      if (event.type === 'tool-call' && names.has(event.id)) named.push({ id: event.id, tool: event.tool });
    return events.filter(({ type }) => type !== 'turn-end');
  };
  return { read: (value) => note(reader.read(value)), end: () => note(reader.end()) };
}

/** The number of calls in the history without an id. */
function placesIn(wire: Wire, body: object): number {
  return messagesOf(wire, body)
    .flatMap(({ calls }) => calls)
    .filter(({ id }) => id.startsWith('place-')).length;
}

const ended = Symbol('the answer has ended');

/** Reports what is new in a request before the model is asked. */
async function show(session: Session, wire: Wire, body: object): Promise<void> {
  const messages = session.attempt('translate', () => messagesOf(wire, body), []);
  await session.request(requestEvents(messages), messages.length);
}

/** The body with our messages in its history; unchanged if there are none. */
function edited(session: Session, wire: Wire, body: object, { escalateTo }: AskOptions): never {
  const { key, message } = histories[wire.name];
  const chosen = escalateTo !== undefined && session.takeEscalation() ? { ...body, model: escalateTo } : body;
  const entries = entriesOf(wire, body);
  const messages = session.history(entries, message);
  const isSame = messages.length === entries.length && messages.every((entry, place) => entry === entries[place]);
  return (isSame ? chosen : { ...chosen, [key]: messages }) as never;
}

/** One whole answer under guard: requested again if it goes in circles; an answer with the reason if the run ends. */
export async function askWhole<Answer extends object>(
  session: Session,
  wire: Wire,
  body: object,
  send: Send<Answer>,
  options: AskOptions = {},
): Promise<Answer> {
  await show(session, wire, body);
  let answer: Answer | undefined;
  const turn = guardTurn<object>(session, {
    approves: false,
    async ask() {
      answer = await send(edited(session, wire, body, options));
      return [answer];
    },
    read(part) {
      const reader = readerFor(session, wire, body);
      return [...reader.read(plain(part)), ...reader.end()];
    },
  });
  for await (const step of turn) {
    if (step.type !== 'end') continue;
    if (session.exitBehavior === 'error') throw step.error;
    return like(answer, wire.wholeAnswer(contextOf(body), step.error.message) as object) as Answer;
  }
  return answer!;
}

/**
 * A streamed answer under guard, chunk by chunk. If it goes in circles it is cut short and another answer continues it;
 * if the run ends, it is closed with the reason.
 */
export async function* askStream<Chunk extends object>(
  session: Session,
  wire: Wire,
  body: object,
  send: Send<AsyncIterable<Chunk>>,
  options: AskOptions = {},
): AsyncGenerator<Chunk> {
  await show(session, wire, body);
  const writer = wire.writeAnswer(contextOf(body));
  let reader: Reader | undefined;
  let sample: Chunk | undefined;
  const written = (frames: string) => chunksIn(frames).map((chunk) => like(sample, chunk) as Chunk);
  const turn = guardTurn<Chunk | typeof ended>(session, {
    approves: false,
    async *ask() {
      reader = readerFor(session, wire, body);
      yield* await send(edited(session, wire, body, options));
      yield ended;
    },
    read: (part) => (part === ended ? reader!.end() : reader!.read(plain(part))),
  });
  for await (const step of turn) {
    if (step.type === 'again') yield* written(writer.again());
    else if (step.type === 'end') {
      if (session.exitBehavior === 'error') throw step.error;
      yield* written(writer.end(step.error.message));
    } else if (step.part !== ended) {
      sample ??= step.part;
      const instead = writer.pass(plain(step.part));
      if (instead === undefined) yield step.part;
      else yield* written(instead);
    }
  }
}

function contextOf(body: object): AnswerContext {
  const { model } = body as { model?: unknown };
  return { id: 'loopfuse', created: 0, model: typeof model === 'string' ? model : '', body };
}

/** Chunks of an SDK may be objects of classes; the translators read plain JSON. */
function plain(value: unknown): unknown {
  return Object.getPrototypeOf(value) === Object.prototype ? value : JSON.parse(JSON.stringify(value));
}

/** Gives our chunk the class of the SDK's chunks, with its getters. */
function like(sample: object | undefined, chunk: object): object {
  return sample === undefined ? chunk : Object.assign(Object.create(Object.getPrototypeOf(sample)), chunk);
}

/** The chunks in frames of the wire. */
function chunksIn(frames: string): object[] {
  const data = frames.split('\n').filter((line) => line.startsWith('data:'));
  return data
    .map((line) => line.slice(5).trim())
    .filter((text) => text !== '[DONE]')
    .map((text) => JSON.parse(text));
}
