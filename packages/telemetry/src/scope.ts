/** Under which name and version spans and metrics are filed. */
export const scope = { name: '@loopfuse/telemetry', version: '0.1.0' } as const;
