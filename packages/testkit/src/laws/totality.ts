import fc from 'fast-check';
import type { AgentEvent } from 'loopfuse';
import { hostileEvents, wrongShapes } from '../arbitraries/hostile-events.js';
import { type LawOptions, type MakeDetectors, prove } from './law.js';
import { assertNoFaults, assertSame, essence, play } from './play.js';

/**
 * With any content of a well-formed event, nothing throws and there is no fault. Each value that is not an event is
 * reported once and has no other effect.
 */
export function checkTotality(make: MakeDetectors, { tools, ...options }: LawOptions = {}): void {
  const well = hostileEvents().map((event) => ({ event, wrong: false }));
  const wrong = wrongShapes().map((value) => ({ event: value as AgentEvent, wrong: true }));
  const streams = fc.array(fc.oneof({ weight: 4, arbitrary: well }, { weight: 1, arbitrary: wrong }), {
    maxLength: 30,
  });
  const { loops: _, ...runs } = options;

  prove('totality', streams, runs, (stream) => {
    const events = stream.filter((one) => !one.wrong).map((one) => one.event);
    const alone = play(make(), events, tools);
    assertNoFaults(alone.faults, 'totality: a well-formed event caused a fault');
    JSON.stringify(alone.watch.snapshot());

    const mixed = play(
      make(),
      stream.map((one) => one.event),
      tools,
    );
    const ignored = stream.flatMap((one, seq) => (one.wrong ? [seq] : []));
    assertSame(
      mixed.faults.map(({ where, seq }) => ({ where, seq })),
      ignored.map((seq) => ({ where: 'event', seq })),
      'totality: every value that is no event is reported as one fault',
    );
    assertSame(
      mixed.findings.flat().map(essence),
      alone.findings.flat().map(essence),
      'totality: a value that is no event made a difference',
    );
    return 0;
  });
}
