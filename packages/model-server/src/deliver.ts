import type { ServerResponse } from 'node:http';
import { setImmediate as soon, setTimeout as wait } from 'node:timers/promises';
import type { Json } from 'loopfuse';
import type { Answer } from './answer.js';
import type { ProtocolSpec } from './protocol.js';
import type { Pace, Reply, ReplyFault } from './reply.js';

/** The outcome of an answer: sent completely, refused, sent with its fault, or abandoned by the client. */
export type Delivery = 'whole' | 'refused' | 'faulty' | 'gone';

export interface Parcel {
  readonly spec: ProtocolSpec;
  readonly reply: Reply;
  readonly answer: Answer;
  readonly body: unknown;
  readonly framing: 'events' | 'array' | 'whole';
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/** Sends an answer with its pace and fault. A client that disconnects is an outcome (`gone`), not an error. */
export async function deliver(response: ServerResponse, parcel: Parcel): Promise<Delivery> {
  try {
    const { fault } = parcel.reply;
    if (fault?.type === 'refuse') return refuse(response, parcel, fault);
    return await (parcel.framing === 'events' ? deliverEvents(response, parcel) : deliverWhole(response, parcel));
  } catch (cause) {
    if (parcel.signal.aborted || closings.has((cause as NodeJS.ErrnoException).code)) return 'gone';
    throw cause;
  }
}

/** Errors of a write to a closed connection, if the write fails before the `close` event. */
const closings = new Set<string | undefined>(['ECONNRESET', 'EPIPE', 'ERR_STREAM_DESTROYED']);

async function deliverEvents(response: ServerResponse, parcel: Parcel): Promise<Delivery> {
  const { spec, reply, answer, body, headers, signal } = parcel;
  const { fault, pace = {} } = reply;
  const after = fault === undefined || fault.type === 'refuse' ? Number.POSITIVE_INFINITY : (fault.after ?? 0);
  const head = { ...headers, 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' };
  let sent = 0;
  for (const frame of spec.frames(answer, body)) {
    if (pace.delay) await wait(pace.delay, undefined, { signal });
    if (sent === after && fault?.type === 'stall') await left(signal);
    if (sent === after && fault?.type === 'cut') {
      await drop(response, signal);
      return 'faulty';
    }
    if (!response.headersSent) response.writeHead(200, head);
    if (sent === after && fault?.type === 'breakdown') {
      response.end(spec.breakdown(fault.message ?? 'the model broke down'));
      return 'faulty';
    }
    await write(response, sent === after ? garbled(frame) : frame, pace, signal);
    sent++;
  }
  await end(response, signal);
  return sent > after ? 'faulty' : 'whole';
}

async function deliverWhole(response: ServerResponse, parcel: Parcel): Promise<Delivery> {
  const { spec, reply, answer, body, framing, headers, signal } = parcel;
  const { fault, pace = {} } = reply;
  if (pace.delay) await wait(pace.delay, undefined, { signal });
  if (fault?.type === 'stall') await left(signal);
  if (fault?.type === 'breakdown') {
    sendJson(response, 500, spec.refusal(500, fault.message ?? 'the model broke down'), headers);
    return 'faulty';
  }
  const whole = spec.whole(answer, body);
  const text = JSON.stringify(framing === 'array' ? [whole] : whole);
  const sent = fault === undefined ? text : text.slice(0, text.length >> 1);
  const length = Buffer.byteLength(fault?.type === 'cut' ? text : sent);
  response.writeHead(200, { ...headers, 'content-type': 'application/json', 'content-length': length });
  await write(response, sent, pace, signal);
  if (fault?.type === 'cut') await drop(response, signal);
  else await end(response, signal);
  return fault === undefined ? 'whole' : 'faulty';
}

function refuse(
  response: ServerResponse,
  { spec, headers }: Parcel,
  { status, message, body, headers: own = {} }: Extract<ReplyFault, { type: 'refuse' }>,
): Delivery {
  const text = message ?? `the script answers with status ${status}`;
  if (typeof body === 'string')
    response.writeHead(status, { ...headers, 'content-type': 'text/plain', ...own }).end(body);
  else sendJson(response, status, body ?? spec.refusal(status, text), { ...headers, ...own });
  return 'refused';
}

export function sendJson(
  response: ServerResponse,
  status: number,
  body: Json,
  headers: Readonly<Record<string, string>> = {},
): void {
  const text = JSON.stringify(body);
  const length = Buffer.byteLength(text);
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': length, ...headers }).end(text);
}

/** Resolves when the bytes were sent, so that a cut comes after them. */
async function write(response: ServerResponse, text: string, { bytes }: Pace, signal: AbortSignal): Promise<void> {
  const buffer = Buffer.from(text);
  const step = bytes ?? buffer.length;
  for (let from = 0; from < buffer.length; from += step) {
    await unlessLeft(signal, (done) => response.write(buffer.subarray(from, from + step), done));
    if (bytes !== undefined) await soon();
  }
}

async function end(response: ServerResponse, signal: AbortSignal): Promise<void> {
  await unlessLeft(signal, (done) => response.end(done));
}

/** On a connection that is closing, Node may never call back: then the signal rejects. */
async function unlessLeft(signal: AbortSignal, act: (done: (error?: Error | null) => void) => void): Promise<void> {
  signal.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    const lost = () => reject(signal.reason);
    signal.addEventListener('abort', lost, { once: true });
    act((error) => {
      signal.removeEventListener('abort', lost);
      if (error) reject(error);
      else resolve();
    });
  });
}

/** Drops the connection shortly after the last bytes: clients discard what they have not read by then. */
async function drop(response: ServerResponse, signal: AbortSignal): Promise<void> {
  await wait(25, undefined, { signal });
  response.destroy();
}

/** Half of the JSON of a chunk, framed like a whole one. */
function garbled(frame: string): string {
  const from = frame.indexOf('data: ') + 'data: '.length;
  const end = /\r?\n\r?\n$/.exec(frame)?.index;
  if (from < 'data: '.length || end === undefined || end < from) return frame;
  return frame.slice(0, from + ((end - from) >> 1)) + frame.slice(end);
}

/** Waits until the client has disconnected, and rejects. */
async function left(signal: AbortSignal): Promise<never> {
  signal.throwIfAborted();
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }));
}
