export interface Targets {
  readonly traces?: string;
  readonly metrics?: string;
  readonly logs?: string;
}

export type Environment = { readonly [name: string]: string | undefined };

/**
 * Where traces, metrics and logs go: to the endpoint given or, without one, to where the standard variables say. Nothing is
 * assumed: what has no endpoint goes nowhere. Throws on what is no web address, and on a protocol that is not supported.
 */
export function otlpTargets(endpoint: string | undefined, environment: Environment): Targets {
  if (endpoint !== undefined) return all(endpoint, 'startExport: endpoint');
  if (environment.OTEL_SDK_DISABLED?.trim().toLowerCase() === 'true') return {};
  const general = set(environment, 'OTEL_EXPORTER_OTLP_ENDPOINT');
  const targets = {
    ...(general !== undefined && all(general, 'OTEL_EXPORTER_OTLP_ENDPOINT')),
    ...single(environment, 'traces', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'),
    ...single(environment, 'metrics', 'OTEL_EXPORTER_OTLP_METRICS_ENDPOINT'),
    ...single(environment, 'logs', 'OTEL_EXPORTER_OTLP_LOGS_ENDPOINT'),
  };
  const protocol = set(environment, 'OTEL_EXPORTER_OTLP_PROTOCOL');
  if (Object.keys(targets).length > 0 && protocol === 'grpc')
    throw new TypeError(
      'OTEL_EXPORTER_OTLP_PROTOCOL is "grpc", and only HTTP is supported: use an HTTP endpoint (port 4318 by custom) and "http/json"',
    );
  return targets;
}

function all(endpoint: string, where: string): Targets {
  const base = withoutEndSlashes(address(endpoint, where));
  return { traces: `${base}/v1/traces`, metrics: `${base}/v1/metrics`, logs: `${base}/v1/logs` };
}

function withoutEndSlashes(address: string): string {
  let end = address.length;
  while (address[end - 1] === '/') end--;
  return address.slice(0, end);
}

function single(environment: Environment, signal: keyof Targets, variable: string): Targets {
  const value = set(environment, variable);
  return value === undefined ? {} : { [signal]: address(value, variable) };
}

function set(environment: Environment, variable: string): string | undefined {
  return environment[variable]?.trim() || undefined;
}

function address(value: string, where: string): string {
  if (!/^https?:\/\//i.test(value) || !URL.canParse(value))
    throw new TypeError(`${where} must be an http or https address, got ${JSON.stringify(value)}`);
  return value;
}
