import type { Attributes, Meter, Tracer } from '@opentelemetry/api';
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import { InMemorySpanExporter, type ReadableSpan, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';

export interface Point {
  readonly attributes: Attributes;
  readonly value: unknown;
}

/** OpenTelemetry's SDK with exporters that keep everything. */
export interface Recorder {
  readonly tracer: Tracer;
  readonly meter: Meter;
  readonly tracers: TracerProvider;
  readonly meters: MeterProvider;
  /** Those that have ended, in the order of their ends. */
  spans(): readonly ReadableSpan[];
  /** How many have begun and not ended. */
  open(): number;
  points(metric: string): Promise<readonly Point[]>;
  /** The span as a tree: names, indented, in the order of their beginnings. */
  tree(): readonly string[];
  /** Everything that would leave the process, as text. */
  everything(): Promise<string>;
}

export function recorder(): Recorder {
  const kept = new InMemorySpanExporter();
  let started = 0;
  const order: string[] = [];
  const tracers = new TracerProvider({
    spanProcessors: [
      new SimpleSpanProcessor({ exporter: kept }),
      {
        onStart(span) {
          started++;
          order.push(span.spanContext().spanId);
        },
        onEnd() {},
        forceFlush: () => Promise.resolve(),
        shutdown: () => Promise.resolve(),
      },
    ],
  });
  const counted = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({ exporter: counted, exportIntervalMillis: 3_600_000 });
  const meters = new MeterProvider({ readers: [reader] });
  const spans = () => kept.getFinishedSpans();

  async function metrics() {
    counted.reset();
    await meters.forceFlush();
    return counted.getMetrics().flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((scope) => scope.metrics));
  }

  return {
    tracer: tracers.getTracer('test'),
    meter: meters.getMeter('test'),
    tracers,
    meters,
    spans,
    open: () => started - spans().length,
    points: async (metric) =>
      (await metrics())
        .filter(({ descriptor }) => descriptor.name === metric)
        .flatMap(({ dataPoints }) => dataPoints.map(({ attributes, value }) => ({ attributes, value }))),
    tree() {
      const all = [...spans()].sort(
        (a, b) => order.indexOf(a.spanContext().spanId) - order.indexOf(b.spanContext().spanId),
      );
      const lines: string[] = [];
      const draw = (parent: string | undefined, depth: number) => {
        for (const span of all)
          if (span.parentSpanContext?.spanId === parent) {
            lines.push('  '.repeat(depth) + span.name);
            draw(span.spanContext().spanId, depth + 1);
          }
      };
      draw(undefined, 0);
      return lines;
    },
    everything: async () =>
      JSON.stringify([
        spans().map(({ name, attributes, events, status, links }) => ({ name, attributes, events, status, links })),
        await metrics(),
      ]),
  };
}
