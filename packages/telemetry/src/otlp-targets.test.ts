import { describe, expect, test } from 'vitest';
import { otlpTargets } from './otlp-targets.js';

const all = (base: string) => ({
  traces: `${base}/v1/traces`,
  metrics: `${base}/v1/metrics`,
  logs: `${base}/v1/logs`,
});

describe('where telemetry goes', () => {
  test('nowhere, unless an endpoint is set', () => {
    expect(otlpTargets(undefined, {})).toEqual({});
    expect(otlpTargets(undefined, { OTEL_EXPORTER_OTLP_ENDPOINT: ' ' })).toEqual({});
    expect(otlpTargets(undefined, { OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' })).toEqual({});
  });

  test('to the endpoint given rather than to that of the environment', () => {
    const environment = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318/' };
    expect(otlpTargets(undefined, environment)).toEqual(all('http://127.0.0.1:4318'));
    expect(otlpTargets('https://a.test/otlp', environment)).toEqual(all('https://a.test/otlp'));
  });

  test('with the query of the endpoint behind the path of each signal', () => {
    expect(otlpTargets('https://a.test/otlp/?team=7', {}, ['logs'])).toEqual({
      logs: 'https://a.test/otlp/v1/logs?team=7',
    });
  });

  test('an address that is refused is shown without what may be a secret in it', () => {
    const refused = [
      'ftp://ada:hunter2@a.test/x?key=hunter2',
      'ada:hunter2@a.test?key=hunter2',
      'http://ada:hunter2@a:b',
    ];
    for (const endpoint of refused) {
      expect(() => otlpTargets(endpoint, {})).toThrow(/endpoint must be an http or https address, got ".*a/);
      expect(() => otlpTargets(endpoint, {})).not.toThrow(/hunter2/);
    }
  });

  test('each signal by itself where it has a variable of its own, which is taken as it is', () => {
    const OTEL_EXPORTER_OTLP_TRACES_ENDPOINT = 'http://127.0.0.1:1/spans';
    expect(otlpTargets(undefined, { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT })).toEqual({
      traces: 'http://127.0.0.1:1/spans',
    });
    const OTEL_EXPORTER_OTLP_ENDPOINT = 'http://127.0.0.1:2';
    expect(otlpTargets(undefined, { OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT })).toEqual({
      traces: 'http://127.0.0.1:1/spans',
      metrics: 'http://127.0.0.1:2/v1/metrics',
      logs: 'http://127.0.0.1:2/v1/logs',
    });
  });

  test('nowhere when the SDK is switched off', () => {
    const environment = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318', OTEL_SDK_DISABLED: 'true' };
    expect(otlpTargets(undefined, environment)).toEqual({});
  });

  test('not where a signal is switched off, by the variable that programs go by', () => {
    const OTEL_EXPORTER_OTLP_ENDPOINT = 'http://127.0.0.1:4318';
    const { metrics: _, ...others } = all(OTEL_EXPORTER_OTLP_ENDPOINT);
    const environment = { OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_METRICS_EXPORTER: 'none', OTEL_TRACES_EXPORTER: 'otlp' };
    expect(otlpTargets(undefined, environment)).toEqual(others);
    expect(otlpTargets(undefined, environment, ['metrics'])).toEqual({});
  });

  test('a protocol that one signal cannot have is refused where that signal is wanted', () => {
    const environment = {
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4317',
      OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'grpc',
    };
    expect(() => otlpTargets(undefined, environment)).toThrow(/OTEL_EXPORTER_OTLP_TRACES_PROTOCOL is "grpc"/);
    expect(otlpTargets(undefined, environment, ['logs'])).toEqual({ logs: 'http://127.0.0.1:4317/v1/logs' });
  });

  test('what is no web address, or not supported, is refused with its name', () => {
    expect(() => otlpTargets('localhost:4318', {})).toThrow(/^endpoint must be .* got "localhost:4318"/);
    expect(() => otlpTargets(undefined, { OTEL_EXPORTER_OTLP_ENDPOINT: 'file:///etc' })).toThrow(
      /OTEL_EXPORTER_OTLP_ENDPOINT must be/,
    );
    expect(() =>
      otlpTargets(undefined, {
        OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4317',
        OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc',
      }),
    ).toThrow(/only HTTP is supported/);
  });
});

test('an endpoint with many slashes takes little time', () => {
  const { traces } = otlpTargets(`http://127.0.0.1:1/${'/'.repeat(300_000)}x//`, {});
  expect(traces?.endsWith('x/v1/traces')).toBe(true);
});
