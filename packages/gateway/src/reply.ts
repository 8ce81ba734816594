import type { AnswerContext, AskRoute, RequestView, Wire } from '@loopfuse/wire';

/** How a client wants its answer framed. */
export type Framing = 'events' | 'array' | 'whole';

export function framingOf({ framing }: AskRoute, view: RequestView): Framing {
  return framing ?? (view.stream ? 'events' : 'whole');
}

/** Our own complete answer, in place of the model's. */
export function answerReply(wire: Wire, framing: Framing, context: AnswerContext, text: string): Response {
  if (framing === 'events')
    return new Response(wire.writeAnswer(context).end(text), {
      headers: { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' },
    });
  const whole = wire.wholeAnswer(context, text);
  return Response.json(framing === 'array' ? [whole] : whole);
}

/** The answer to a request of a stopped session: an error that this protocol's clients show and do not retry. */
export function stoppedReply(wire: Wire, message: string): Response {
  const { status, headers } = wire.stopped(message);
  return Response.json(wire.error(status, message), { status, headers });
}

/** An error of the gateway itself, in the error format of the client's protocol. */
export function errorReply(wire: Wire | undefined, status: number, message: string): Response {
  return Response.json(wire?.error(status, message) ?? { error: { message, type: 'gateway_error' } }, { status });
}
