import { type Forward, responseOf } from './forward.js';
import { guardedBody } from './guarded-body.js';
import { isStreamed } from './guarded-stream.js';
import { guardedWhole } from './guarded-whole.js';
import { observedCopy } from './observed-copy.js';
import { pulled } from './pushed-body.js';
import { jsonOf, receive } from './read-request.js';
import type { Turn } from './turn.js';
import { brokenOffText, UpstreamError, type UpstreamResponse } from './upstream.js';

/** A request as it was received, and how to send and report it. */
export interface Exchange {
  readonly request: Request;
  readonly bytes: Uint8Array;
  /** The bytes as JSON. */
  readonly body: unknown;
  readonly send: Forward['send'];
  readonly onStatus: (status: number) => void;
  readonly onFault: (message: string) => void;
}

const mostWholeBytes = 32 * 2 ** 20;

/** Sends a request of a turn, and passes its answer to the client under guard. */
export async function guardedAnswer(
  turn: Turn,
  { request, bytes, body: received, send, onStatus, onFault }: Exchange,
): Promise<Response> {
  const plain = (headers: Headers) => headers.set('accept-encoding', 'identity');
  const rewritten = (headers: Headers) => {
    plain(headers);
    headers.delete('content-encoding');
  };
  const askWith = (body: unknown) => send(request, new TextEncoder().encode(JSON.stringify(body)), rewritten);
  const answer = turn.sent === received ? await send(request, bytes, plain) : await askWith(turn.sent);
  onStatus(answer.status);
  if (answer.status !== 200) return responseOf(answer);
  const leave = () => void answer.body.destroy();
  if ((answer.headers.get('content-encoding') ?? 'identity') !== 'identity')
    return responseOf(answer, pulled(observedCopy(turn, answer), leave));
  if (await isStreamed(turn, answer)) {
    answer.headers.delete('content-length');
    return responseOf(answer, guardedBody(turn, answer, askWith));
  }
  const whole = await wholeBody(answer);
  if (whole.type === 'large') {
    onFault(`an answer of more than ${mostWholeBytes} bytes was passed on unread`);
    return responseOf(answer, pulled(whole.stream, leave));
  }
  const judged = await guardedWhole(turn, { response: answer, bytes: whole.bytes }, async (body) => {
    const next = await askWith(body);
    const read = await wholeBody(next);
    return read.type === 'whole' ? { response: next, bytes: read.bytes } : undefined;
  });
  if (judged.type === 'theirs') return responseOf(judged.response, judged.bytes);
  const wholeReply = turn.wire.wholeAnswer(turn.context, judged.text);
  return Response.json(Array.isArray(parsedOrNull(whole.bytes)) ? [wholeReply] : wholeReply);
}

function parsedOrNull(bytes: Uint8Array): unknown {
  return jsonOf(bytes, null, mostWholeBytes) ?? null;
}

async function wholeBody({ body }: UpstreamResponse) {
  return receive(body, mostWholeBytes).catch(() => {
    throw new UpstreamError(brokenOffText, 502);
  });
}
