import { createWatch, defineDetector, type Fault } from 'loopfuse';
import { balanced } from 'loopfuse/presets';
import { expect, test } from 'vitest';
import { rehearse } from './rehearsal.js';

test('a little of everything happens in it', () => {
  const seen = new Set<string>();
  const listener = defineDetector({
    name: 'listener',
    reads: [
      'prompt',
      'text',
      'reasoning',
      'tool-call',
      'tool-result',
      'usage',
      'turn-end',
      'retry',
      'compaction',
      'step',
    ],
    start: () => ({}),
    observe(_state, reading) {
      seen.add(reading.type);
      if (reading.type === 'step') for (const what of [reading.status, reading.effect]) seen.add(what);
      return undefined;
    },
    explain: () => '',
  });
  rehearse([listener]);
  const types = ['prompt', 'text', 'reasoning', 'tool-call', 'tool-result', 'usage', 'turn-end', 'retry', 'compaction'];
  const steps = ['step', 'ok', 'failed', 'unseen', 'read', 'write', 'run', 'poll', 'note'];
  expect([...seen]).toEqual(expect.arrayContaining([...types, ...steps]));
});

test('what is found later does not depend on it', () => {
  const detectors = balanced();
  const found = () => {
    const faults: Fault[] = [];
    const watch = createWatch({ detectors, onFault: (fault) => faults.push(fault) });
    const verdicts = Array.from({ length: 12 }, (_, k) => [
      watch.observe({ type: 'tool-call', id: `${k}`, tool: 'open', input: { path: 'x' } }),
      watch.observe({ type: 'tool-result', id: `${k}`, output: 'Error: there is no file of that name', failed: true }),
      watch.observe({ type: 'text', text: 'I will try again. '.repeat(k * 10) }),
    ]);
    expect(faults).toEqual([]);
    return verdicts;
  };
  const before = found();
  rehearse(detectors);
  expect(found()).toEqual(before);
});
