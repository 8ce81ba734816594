import { type Attributes, ROOT_CONTEXT, trace } from '@opentelemetry/api';
import { type Environment, otlpTargets } from './otlp-targets.js';
import { reportingExporter } from './reporting-exporter.js';
import { requireInstalled } from './require-installed.js';
import { scope } from './scope.js';
import type { ExportOptions } from './start-export.js';

/** A loop that was found in a conversation. */
export interface Evaluation {
  readonly conversation: string;
  readonly agent: string;
  readonly model?: string | undefined;
  /** The sub-agent that loops. */
  readonly lane?: string | undefined;
  readonly kind: string;
  readonly detector: string;
  readonly confidence: number;
  readonly waste: { readonly calls: number; readonly characters: number; readonly tokens: number };
  /** What happened, with quotes from the conversation. Sent only with `content`. */
  readonly explanation: string;
  /** The span in which it was seen, in hexadecimal digits. */
  readonly span?: { readonly traceId: string; readonly spanId: string } | undefined;
}

/** Sends findings as `gen_ai.evaluation.result` events. */
export interface Evaluations {
  /** Where they go. */
  readonly url: string;
  send(evaluation: Evaluation): void;
  /** Sends what is pending, and then nothing more. Never rejects. */
  stop(): Promise<void>;
}

export interface EvaluationOptions extends ExportOptions {
  /** Also sends the explanation. By default as set by OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT. */
  readonly content?: boolean;
}

/**
 * Sends findings to an OTLP receiver, as events of the conventions for generative AI: log records that belong to the span
 * of the finding. Without an endpoint it resolves to `undefined`, and nothing is loaded or sent. Rejects when the endpoint
 * is invalid, or when OpenTelemetry's SDK for logs, which is not installed with this package, is missing.
 */
export async function startEvaluations(options: EvaluationOptions = {}): Promise<Evaluations | undefined> {
  const { endpoint, headers = {}, serviceName = 'loopfuse', timeoutSeconds = 5, environment = process.env } = options;
  const { onProblem = (message: string) => process.emitWarning(message, 'TelemetryWarning') } = options;
  if (!(timeoutSeconds > 0 && timeoutSeconds < 3600))
    throw new RangeError(`startEvaluations: timeoutSeconds must be between 0 and 3600, got ${String(timeoutSeconds)}`);
  const content = options.content ?? isTrue(environment.OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT);
  const { logs: url } = otlpTargets(endpoint, environment, ['logs']);
  if (url === undefined) return undefined;

  const { resources, sdk, Exporter } = await load(environment);
  const resource = resources
    .defaultResource()
    .merge(resources.resourceFromAttributes({ 'service.name': serviceName }))
    .merge(resources.detectResources({ detectors: [resources.envDetector] }));
  const exporter = reportingExporter(
    new Exporter({ url, headers: { ...headers }, timeoutMillis: timeoutSeconds * 1000 }),
    url,
    onProblem,
  );
  const provider = new sdk.LoggerProvider({ resource, processors: [new sdk.BatchLogRecordProcessor({ exporter })] });
  const logger = provider.getLogger(scope.name, scope.version);
  return {
    url,
    send(evaluation) {
      const { span } = evaluation;
      logger.emit({
        eventName: 'gen_ai.evaluation.result',
        timestamp: Date.now(),
        attributes: attributesOf(evaluation, content),
        context:
          span === undefined
            ? ROOT_CONTEXT
            : trace.setSpanContext(ROOT_CONTEXT, { ...span, traceFlags: 1 /* sampled */ }),
      });
    },
    stop: async () => void (await Promise.allSettled([provider.shutdown()])),
  };
}

function attributesOf(evaluation: Evaluation, content: boolean): Attributes {
  const { conversation, agent, model, lane, kind, detector, confidence, waste, explanation } = evaluation;
  return {
    'gen_ai.evaluation.name': 'loopfuse.loop',
    'gen_ai.evaluation.score.value': confidence,
    'gen_ai.evaluation.score.label': kind,
    ...(content && { 'gen_ai.evaluation.explanation': explanation }),
    'gen_ai.conversation.id': conversation,
    'gen_ai.agent.name': agent,
    ...(model !== undefined && { 'gen_ai.request.model': model }),
    ...(lane !== undefined && { 'loopfuse.lane': lane }),
    'loopfuse.loop.kind': kind,
    'loopfuse.loop.detector': detector,
    'loopfuse.loop.confidence': confidence,
    'loopfuse.waste.calls': waste.calls,
    'loopfuse.waste.characters': waste.characters,
    'loopfuse.waste.tokens': waste.tokens,
  };
}

/** OpenTelemetry's SDK for logs, with the exporter for the protocol: JSON, unless `http/protobuf` is set. */
async function load(environment: Environment) {
  const protocol =
    environment.OTEL_EXPORTER_OTLP_LOGS_PROTOCOL?.trim() || environment.OTEL_EXPORTER_OTLP_PROTOCOL?.trim();
  const resources = import('@opentelemetry/resources');
  const sdk = import('@opentelemetry/sdk-logs');
  if (protocol === 'http/protobuf') {
    const otlp = import('@opentelemetry/exporter-logs-otlp-proto');
    await requireInstalled({
      '@opentelemetry/resources': resources,
      '@opentelemetry/sdk-logs': sdk,
      '@opentelemetry/exporter-logs-otlp-proto': otlp,
    });
    return { resources: await resources, sdk: await sdk, Exporter: (await otlp).OTLPLogExporter };
  }
  const otlp = import('@opentelemetry/exporter-logs-otlp-http');
  await requireInstalled({
    '@opentelemetry/resources': resources,
    '@opentelemetry/sdk-logs': sdk,
    '@opentelemetry/exporter-logs-otlp-http': otlp,
  });
  return { resources: await resources, sdk: await sdk, Exporter: (await otlp).OTLPLogExporter };
}

function isTrue(value: string | undefined): boolean {
  return value?.trim().toLowerCase() === 'true';
}
