export interface Targets {
  readonly traces?: string;
  readonly metrics?: string;
  readonly logs?: string;
}

export type Environment = { readonly [name: string]: string | undefined };

export type Signal = keyof Targets;

/**
 * The addresses for those signals (traces, metrics, logs) that are wanted: from the given endpoint or, without one, from
 * the standard variables, unless those switch the signal off. There is no default: a signal without an endpoint is not
 * sent. Throws where an endpoint is not a web address, or a protocol is not supported.
 */
export function otlpTargets(
  endpoint: string | undefined,
  environment: Environment,
  wanted: readonly Signal[] = ['traces', 'metrics', 'logs'],
): Targets {
  const given = endpoint === undefined ? undefined : all(endpoint, 'endpoint');
  if (given === undefined && environment.OTEL_SDK_DISABLED?.trim().toLowerCase() === 'true') return {};
  const targets: { [Name in Signal]?: string } = {};
  for (const signal of wanted) {
    const url = given === undefined ? inEnvironment(signal, environment) : given[signal];
    if (url !== undefined) targets[signal] = url;
  }
  return targets;
}

function inEnvironment(signal: Signal, environment: Environment): string | undefined {
  const own = signal.toUpperCase();
  if (set(environment, `OTEL_${own}_EXPORTER`)?.toLowerCase() === 'none') return undefined;
  const [name, endpoint] = firstSet(environment, `OTEL_EXPORTER_OTLP_${own}_ENDPOINT`, 'OTEL_EXPORTER_OTLP_ENDPOINT');
  if (endpoint === undefined) return undefined;
  const [protocolName, protocol] = firstSet(
    environment,
    `OTEL_EXPORTER_OTLP_${own}_PROTOCOL`,
    'OTEL_EXPORTER_OTLP_PROTOCOL',
  );
  if (protocol === 'grpc')
    throw new TypeError(
      `${protocolName} is "grpc", and only HTTP is supported: use an HTTP endpoint (usually port 4318) and "http/json"`,
    );
  return name === 'OTEL_EXPORTER_OTLP_ENDPOINT' ? all(endpoint, name)[signal] : address(endpoint, name);
}

function all(endpoint: string, where: string): Targets {
  const [place, query] = split(address(endpoint, where));
  const base = `${withoutEndSlashes(place)}/v1`;
  return { traces: `${base}/traces${query}`, metrics: `${base}/metrics${query}`, logs: `${base}/logs${query}` };
}

/** An address without its query, and the query. */
function split(address: string): [string, string] {
  const at = address.search(/[?#]/);
  return at < 0 ? [address, ''] : [address.slice(0, at), address.slice(at)];
}

function withoutEndSlashes(address: string): string {
  let end = address.length;
  while (address[end - 1] === '/') end--;
  return address.slice(0, end);
}

function firstSet(environment: Environment, own: string, general: string): [string, string | undefined] {
  const value = set(environment, own);
  return value === undefined ? [general, set(environment, general)] : [own, value];
}

function set(environment: Environment, variable: string): string | undefined {
  return environment[variable]?.trim() || undefined;
}

function address(value: string, where: string): string {
  if (!/^https?:\/\//i.test(value) || !URL.canParse(value))
    throw new TypeError(`${where} must be an http or https address, got ${JSON.stringify(withoutSecrets(value))}`);
  return value;
}

/** The address without user name, password and query, which may contain keys. */
function withoutSecrets(address: string): string {
  const [place] = split(address);
  const begun = place.indexOf('://') + 3;
  const shown = place.slice(place.lastIndexOf('@') + 1);
  return begun > 2 && shown !== place ? place.slice(0, begun) + shown : shown;
}
