import fc from 'fast-check';
import { createWatch, type Fault, resumeWatch, type WatchSnapshot } from 'loopfuse';
import { type LawOptions, lawSessions, type MakeDetectors, prove } from './law.js';
import { assertNoFaults, assertSame, observe, play } from './play.js';

/** A session resumed from a snapshot at any event, through JSON, gives the same findings in every field. */
export function checkResume(make: MakeDetectors, options: LawOptions = {}): void {
  const { tools = {} } = options;
  const places = fc.array(fc.nat(9999), { minLength: 1, maxLength: 4 });

  prove('resume', fc.tuple(lawSessions(options), places), options, ([session, chosen]) => {
    const expected = play(make(), session, tools).findings;
    const breaks = new Set(chosen.map((share) => Math.floor((share / 10_000) * session.length)));
    const faults: Fault[] = [];
    const watchOptions = () => ({ detectors: make(), tools, onFault: (fault: Fault) => void faults.push(fault) });
    let watch = createWatch(watchOptions());
    const findings = session.map((event, k) => {
      if (breaks.has(k)) {
        const saved = throughJson(watch.snapshot());
        watch = resumeWatch(watchOptions(), saved);
        assertSame(throughJson(watch.snapshot()), saved, 'resume: the state changed on the way');
      }
      return observe(watch, event);
    });
    assertNoFaults(faults, 'resume');
    assertSame(findings, expected, `resume: a snapshot before event ${[...breaks].join(', ')} changed the future`);
    return findings.flat().length;
  });
}

function throughJson(snapshot: WatchSnapshot): WatchSnapshot {
  return JSON.parse(JSON.stringify(snapshot)) as WatchSnapshot;
}
