import type { Counter, Histogram, Meter } from '@opentelemetry/api';

export interface Instruments {
  readonly loops: Counter;
  readonly steers: Counter;
  readonly judgeCalls: Counter;
  readonly disabled: Counter;
  readonly tokens: Histogram;
  readonly duration: Histogram;
}

/** The boundaries of the two histograms are those that the conventions recommend. */
export function createInstruments(meter: Meter): Instruments {
  return {
    loops: meter.createCounter('loopfuse.loops', {
      unit: '{loop}',
      description: 'Loops that the guard acted on, each counted once.',
    }),
    steers: meter.createCounter('loopfuse.steers', {
      unit: '{steer}',
      description: 'Number of times that a loop was handled without halting the run.',
    }),
    judgeCalls: meter.createCounter('loopfuse.judge.calls', {
      unit: '{call}',
      description: 'Requests to a model for a second opinion.',
    }),
    disabled: meter.createCounter('loopfuse.detection.disabled', {
      unit: '{session}',
      description: 'Number of times that loop detection was switched off.',
    }),
    tokens: meter.createHistogram('gen_ai.client.token.usage', {
      unit: '{token}',
      description: 'Number of input and output tokens used.',
      advice: { explicitBucketBoundaries: powers(1, 4, 14) },
    }),
    duration: meter.createHistogram('gen_ai.client.operation.duration', {
      unit: 's',
      description: 'GenAI operation duration.',
      advice: { explicitBucketBoundaries: powers(0.01, 2, 14) },
    }),
  };
}

function powers(first: number, factor: number, count: number): number[] {
  return Array.from({ length: count }, (_, power) => first * factor ** power);
}
