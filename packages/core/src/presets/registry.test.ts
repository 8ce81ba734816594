import { session } from '@loopfuse/testkit';
import { createGuard, policies } from 'loopfuse';
import { LoopDetectionService } from 'loopfuse/service';
import { describe, expect, test } from 'vitest';
import { presetNamed, presetNames, presets } from './registry.js';

test('the default comes first', () => {
  expect(presetNames[0]).toBe('balanced');
});

describe.each(presetNames)('%s', (name) => {
  const preset = presets[name];

  test('has a title, a description and a policy that there is', () => {
    expect(preset.title).not.toBe('');
    expect(preset.description).not.toBe('');
    expect(policies).toHaveProperty(preset.policy);
    expect(presetNamed(name)).toBe(preset);
  });

  test('makes detectors that see a call which only repeats, for a guard and for the drop-in service', () => {
    const guard = createGuard({ detectors: preset.make(), policy: policies.stop.make() });
    const events = session()
      .prompt()
      .repeat(12, (s) => s.call('read_file', { path: 'a' }).result('the same')).events;
    expect(events.map((event) => guard.observe(event).type)).toContain('stop');
    const service = new LoopDetectionService({ preset: name });
    service.reset('request');
    const call = { type: 'tool_call_request', value: { name: 'read_file', args: { path: 'a' } } };
    const fires = Array.from({ length: 12 }, () => service.addAndCheck(call));
    expect(name === 'balanced' || fires.includes(true)).toBe(true);
  });

  test('makes detectors whose names are their own', () => {
    const names = preset.make({ model: () => 'some-preview' }).map((detector) => detector.name);
    expect(new Set(names).size).toBe(names.length);
  });
});

test('an unknown name is refused with the names that there are', () => {
  for (const name of ['strict', 'toString', '__proto__'])
    expect(() => presetNamed(name, 'scan: preset')).toThrow(
      `scan: preset must be one of ${presetNames.join(', ')}, got "${name}"`,
    );
});
