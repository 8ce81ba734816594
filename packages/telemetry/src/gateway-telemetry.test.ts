import { expect, test } from 'vitest';
import { gatewayTelemetry } from './gateway-telemetry.js';
import { recorder } from './testing/recorder.js';

const session = { key: 'key-1', name: 'Do the secret thing', agent: 'claude-code', model: 'm' };
const finding = {
  kind: 'cycle',
  detector: 'stale-rounds',
  status: 'looping',
  again: 0,
  confidence: 0.9,
  evidence: 'secret',
};

test('requests, loops and what was done about them become spans and counters', async () => {
  const kept = recorder();
  const report = gatewayTelemetry(kept);
  report({ type: 'request', session, status: 200 });
  report({ type: 'finding', session, finding: { ...finding, status: 'suspect' } });
  report({ type: 'finding', session, finding });
  report({ type: 'finding', session, finding: { ...finding, again: 1 } });
  report({ type: 'action', session, action: 'steer' });
  report({ type: 'action', session, action: 'stop' });
  report({ type: 'request', session, status: 429 });
  report({ type: 'observed' });
  report({ type: 'fault' });
  expect(kept.spans().map(({ name, attributes }) => [name, attributes['error.type']])).toEqual([
    ['loopfuse.request', undefined],
    ['loopfuse.loop_detected', undefined],
    ['loopfuse.loop_handled', undefined],
    ['loopfuse.loop_handled', 'loop'],
    ['loopfuse.request', '429'],
  ]);
  const labels = { 'loopfuse.loop.kind': 'cycle', 'loopfuse.loop.detector': 'stale-rounds' };
  expect(await kept.points('loopfuse.loops')).toMatchObject([{ attributes: labels, value: 1 }]);
  expect(await kept.points('loopfuse.steers')).toMatchObject([
    { attributes: { ...labels, 'loopfuse.decision': 'steer' }, value: 1 },
  ]);
  expect(kept.open()).toBe(0);
});

test('nothing that was said leaves the process', async () => {
  const kept = recorder();
  const report = gatewayTelemetry(kept);
  report({ type: 'finding', session, finding });
  report({ type: 'action', session, action: 'stop' });
  expect(await kept.everything()).not.toContain('secret');
});

test('without an SDK it does nothing', () => {
  expect(() => gatewayTelemetry()({ type: 'request', session, status: 200 })).not.toThrow();
});
