import type { Meter, Tracer } from '@opentelemetry/api';
import { type Environment, otlpTargets } from './otlp-targets.js';
import { reportingExporter } from './reporting-exporter.js';
import { requireInstalled } from './require-installed.js';
import { scope } from './scope.js';

export interface ExportOptions {
  /** The base address of an OTLP receiver over HTTP. By default that of the environment, if it is set. */
  readonly endpoint?: string;
  /** In addition to those of OTEL_EXPORTER_OTLP_HEADERS. */
  readonly headers?: { readonly [name: string]: string };
  /** OTEL_SERVICE_NAME has precedence over it. */
  readonly serviceName?: string;
  /** The time limit for sending one batch. */
  readonly timeoutSeconds?: number;
  readonly environment?: Environment;
  /** Called when something could not be sent: once, until sending works again. By default it emits a process warning. */
  readonly onProblem?: (message: string) => void;
}

/** Can be passed to `telemetry` as it is. */
export interface Export {
  readonly tracer?: Tracer;
  readonly meter?: Meter;
  /** Sends what is pending. Never rejects. */
  flush(): Promise<void>;
  /** Sends what is pending, and then nothing more. Never rejects. */
  stop(): Promise<void>;
}

/**
 * Sends spans and metrics to an OTLP receiver. Without an endpoint it resolves to `undefined`, and nothing is loaded or
 * sent. Nothing is registered globally: only what is recorded with this tracer and this meter is sent. Rejects when the
 * endpoint is invalid, or when OpenTelemetry's SDK, which is not installed with this package, is missing.
 */
export async function startExport(options: ExportOptions = {}): Promise<Export | undefined> {
  const { endpoint, headers = {}, serviceName = 'loopfuse', timeoutSeconds = 5, environment = process.env } = options;
  const { onProblem = (message: string) => process.emitWarning(message, 'TelemetryWarning') } = options;
  if (!(timeoutSeconds > 0 && timeoutSeconds < 3600))
    throw new RangeError(`startExport: timeoutSeconds must be between 0 and 3600, got ${String(timeoutSeconds)}`);
  const { traces, metrics } = otlpTargets(endpoint, environment, ['traces', 'metrics']);
  if (traces === undefined && metrics === undefined) return undefined;

  const { resources, traceSdk, traceOtlp, metricSdk, metricOtlp } = await load();
  const resource = resources
    .defaultResource()
    .merge(resources.resourceFromAttributes({ 'service.name': serviceName }))
    .merge(resources.detectResources({ detectors: [resources.envDetector] }));
  const sending = { headers: { ...headers }, timeoutMillis: timeoutSeconds * 1000 };
  const providers: { forceFlush(): Promise<void>; shutdown(): Promise<void> }[] = [];
  let tracer: Tracer | undefined;
  let meter: Meter | undefined;
  if (traces !== undefined) {
    const exporter = reportingExporter(new traceOtlp.OTLPTraceExporter({ url: traces, ...sending }), traces, onProblem);
    const spanProcessors = [new traceSdk.BatchSpanProcessor({ exporter })];
    const provider = new traceSdk.TracerProvider({ resource, spanProcessors });
    providers.push(provider);
    tracer = provider.getTracer(scope.name, scope.version);
  }
  if (metrics !== undefined) {
    const exporter = reportingExporter(
      new metricOtlp.OTLPMetricExporter({ url: metrics, ...sending }),
      metrics,
      onProblem,
    );
    const readers = [new metricSdk.PeriodicExportingMetricReader({ exporter })];
    const provider = new metricSdk.MeterProvider({ resource, readers });
    providers.push(provider);
    meter = provider.getMeter(scope.name, scope.version);
  }

  /** Failures are ignored here: the exporters have reported them. */
  async function all(step: 'forceFlush' | 'shutdown'): Promise<void> {
    await Promise.allSettled(providers.map((provider) => provider[step]()));
  }
  return {
    ...(tracer && { tracer }),
    ...(meter && { meter }),
    flush: () => all('forceFlush'),
    stop: () => all('shutdown'),
  };
}

/** OpenTelemetry's SDK and exporters. */
async function load() {
  const modules = {
    '@opentelemetry/resources': import('@opentelemetry/resources'),
    '@opentelemetry/sdk-trace': import('@opentelemetry/sdk-trace'),
    '@opentelemetry/exporter-trace-otlp-http': import('@opentelemetry/exporter-trace-otlp-http'),
    '@opentelemetry/sdk-metrics': import('@opentelemetry/sdk-metrics'),
    '@opentelemetry/exporter-metrics-otlp-http': import('@opentelemetry/exporter-metrics-otlp-http'),
  };
  await requireInstalled(modules);
  return {
    resources: await modules['@opentelemetry/resources'],
    traceSdk: await modules['@opentelemetry/sdk-trace'],
    traceOtlp: await modules['@opentelemetry/exporter-trace-otlp-http'],
    metricSdk: await modules['@opentelemetry/sdk-metrics'],
    metricOtlp: await modules['@opentelemetry/exporter-metrics-otlp-http'],
  };
}
