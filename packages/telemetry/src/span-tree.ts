import { type Attributes, type Context, context, type Span, SpanKind, type Tracer, trace } from '@opentelemetry/api';

/** The place of a span: a request contains turns, a turn contains model calls and tools. */
export type Place = 'request' | 'turn' | 'model' | `tool ${string}`;

/**
 * The open spans. Every span ends: with its own end, with the end of its parent, or when another span begins in its place.
 */
export interface SpanTree {
  begin(place: Place, name: string, attributes: Attributes): void;
  /** Does nothing if there is no such open span. `last` is called with the span before it ends. */
  end(place: Place, last?: (span: Span) => void): void;
  at(place: Place): Span | undefined;
  /**
   * Adds an event to the span of the turn or the request. Between requests it is a separate span of zero length, in the
   * trace of the last request.
   */
  note(name: string, attributes: Attributes): void;
}

interface Open {
  readonly span: Span;
  readonly within: Context;
}

export function startSpanTree(tracer: Tracer): SpanTree {
  const open = new Map<Place, Open>();
  let lastRequest: Context | undefined;

  function end(place: Place, last: (span: Span) => void = markUnfinished): void {
    const found = open.get(place);
    if (found === undefined) return;
    for (const held of heldBy(place, [...open.keys()])) end(held);
    open.delete(place);
    try {
      last(found.span);
    } finally {
      found.span.end();
    }
  }

  function start(name: string, kind: SpanKind, attributes: Attributes, parent = context.active()): Open {
    const span = tracer.startSpan(name, { kind, attributes }, parent);
    return { span, within: trace.setSpan(parent, span) };
  }

  return {
    begin(place, name, attributes) {
      end(place);
      const parent = holdersOf(place).find((holder) => open.has(holder));
      const kind = place === 'model' ? SpanKind.CLIENT : SpanKind.INTERNAL;
      const begun = start(name, kind, attributes, parent && open.get(parent)?.within);
      open.set(place, begun);
      if (place === 'request') lastRequest = begun.within;
    },
    end,
    at: (place) => open.get(place)?.span,
    note(name, attributes) {
      const span = (open.get('turn') ?? open.get('request'))?.span;
      if (span === undefined) start(name, SpanKind.INTERNAL, attributes, lastRequest).span.end();
      else span.addEvent(name, attributes);
    },
  };
}

function markUnfinished(span: Span): void {
  span.setAttribute('loopfuse.unfinished', true);
}

/** The possible parents of a span, the nearest first. */
function holdersOf(place: Place): readonly Place[] {
  if (place === 'request') return [];
  return place === 'turn' ? ['request'] : ['turn', 'request'];
}

function heldBy(place: Place, all: readonly Place[]): readonly Place[] {
  return all.filter((other) => holdersOf(other).includes(place));
}
