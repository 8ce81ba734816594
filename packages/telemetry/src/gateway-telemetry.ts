import { type Attributes, type Meter, metrics, SpanStatusCode, type Tracer, trace } from '@opentelemetry/api';
import { createInstruments, type Instruments } from './instruments.js';
import { scope } from './scope.js';

/** The events of a gateway, as far as they are recorded. They contain no text of the conversation. */
export type GatewayReport =
  | { readonly type: 'request'; readonly session: GatewaySession; readonly status: number }
  | { readonly type: 'action'; readonly session: GatewaySession; readonly action: string }
  | {
      readonly type: 'finding';
      readonly session: GatewaySession;
      readonly finding: {
        readonly kind: string;
        readonly detector: string;
        readonly status: string;
        readonly again: number;
        readonly confidence: number;
      };
    }
  | { readonly type: 'observed' | 'fault' };

export interface GatewaySession {
  readonly key: string;
  readonly agent: string;
  readonly model: string;
}

export interface GatewayTelemetryOptions {
  /** By default those of the registered SDK. Without one, nothing is recorded. */
  readonly tracer?: Tracer;
  readonly meter?: Meter;
}

/** Records the events of a gateway as spans and counters. Call the returned function with each event. */
export function gatewayTelemetry(options: GatewayTelemetryOptions = {}): (event: GatewayReport) => void {
  const { tracer = trace.getTracer(scope.name, scope.version), meter } = options;
  let instruments: Instruments | undefined;
  const count = (): Instruments => {
    instruments ??= createInstruments(meter ?? metrics.getMeter(scope.name, scope.version));
    return instruments;
  };
  // The labels of the last finding of each session, for the actions that follow it.
  const found = new Map<string, Attributes>();

  /** A span of zero length: what a gateway reports is already over. */
  function moment(name: string, { key, agent, model }: GatewaySession, attributes: Attributes, failure?: string): void {
    const span = tracer.startSpan(name, {
      attributes: {
        'gen_ai.conversation.id': key,
        'gen_ai.agent.name': agent,
        'gen_ai.request.model': model,
        ...attributes,
      },
    });
    if (failure !== undefined) {
      span.setAttribute('error.type', failure);
      span.setStatus({ code: SpanStatusCode.ERROR });
    }
    span.end();
  }

  return (event) => {
    if (event.type === 'request') {
      const failure = event.status >= 400 ? String(event.status) : undefined;
      moment('loopfuse.request', event.session, { 'http.response.status_code': event.status }, failure);
    } else if (event.type === 'finding' && event.finding.status === 'looping') {
      const { kind, detector, again, confidence } = event.finding;
      const labels = { 'loopfuse.loop.kind': kind, 'loopfuse.loop.detector': detector };
      found.delete(event.session.key);
      found.set(event.session.key, labels);
      const [oldest] = found.keys();
      if (found.size > 1_000 && oldest !== undefined) found.delete(oldest);
      if (again > 0) return;
      count().loops.add(1, labels);
      moment('loopfuse.loop_detected', event.session, {
        ...labels,
        'loopfuse.loop.confidence': confidence,
        'gen_ai.evaluation.name': 'loopfuse.loop',
        'gen_ai.evaluation.score.label': kind,
        'gen_ai.evaluation.score.value': confidence,
      });
    } else if (event.type === 'action') {
      const labels = { ...found.get(event.session.key), 'loopfuse.decision': event.action };
      if (event.action !== 'stop') count().steers.add(1, labels);
      moment('loopfuse.loop_handled', event.session, labels, event.action === 'stop' ? 'loop' : undefined);
    }
  };
}
