/** The instrumentation scope of all spans and metrics. */
export const scope = { name: '@loopfuse/telemetry', version: '0.1.0' } as const;
