import type { Detector, Finding, LoopKind } from 'loopfuse';
import { type LawOptions, lawSessions, type MakeDetectors, prove } from './law.js';
import { assertNoFaults, assertSame, play } from './play.js';

const kinds: Readonly<Record<LoopKind, true>> = {
  'repeated-calls': true,
  cycle: true,
  'repeated-failure': true,
  'same-outcome': true,
  oscillation: true,
  chanting: true,
  circling: true,
  monologue: true,
  stall: true,
  judged: true,
  budget: true,
};

/** Every finding is well-formed and does not change afterwards, and `explain` makes a sentence of its evidence. */
export function checkFindings(make: MakeDetectors, options: LawOptions = {}): void {
  prove('findings', lawSessions(options), options, (session) => {
    const detectors = make();
    const given: [Finding, string][] = [];
    const { watch, faults } = play(detectors, [], options.tools);
    for (const event of session) {
      const verdict = watch.observe(event);
      if (verdict.status === 'clear') continue;
      for (const finding of verdict.findings) given.push([finding, JSON.stringify(finding)]);
    }
    assertNoFaults(faults, 'findings');
    for (const [finding, asGiven] of given) {
      assertSame(
        JSON.parse(JSON.stringify(finding)),
        JSON.parse(asGiven),
        'findings: a finding changed after it was given',
      );
      assertSame(JSON.parse(asGiven), finding, 'findings: a finding is not plain JSON');
      checkFacts(finding);
      checkProse(detectors.find(({ name }) => name === finding.detector)!, finding);
    }
    return given.length;
  });
}

function checkFacts(finding: Finding): void {
  const { detector, kind, status, seq, onset, confidence, calls } = finding;
  const wrong = (what: string) => new Error(`findings: ${detector} gave ${what} in ${JSON.stringify(finding)}`);
  if (!Object.hasOwn(kinds, kind)) throw wrong(`the unknown kind ${JSON.stringify(kind)}`);
  if (status !== 'suspect' && status !== 'looping') throw wrong(`the unknown status ${JSON.stringify(status)}`);
  if (!(confidence >= 0 && confidence <= 1)) throw wrong(`confidence ${confidence}, not from 0 to 1`);
  if (!Number.isInteger(onset) || onset < 0 || onset > seq) throw wrong(`onset ${onset}, not an event before ${seq}`);
  if (!calls.every(Number.isSafeInteger)) throw wrong('calls that are no fingerprints');
}

function checkProse(detector: Detector, { evidence }: Finding): void {
  const prose = detector.explain(evidence);
  const wrong = (what: string) =>
    new Error(`findings: ${detector.name} explained ${JSON.stringify(evidence)} ${what}: ${JSON.stringify(prose)}`);
  if (typeof prose !== 'string' || prose.trim().length < 10) throw wrong('with less than a sentence');
  for (const leak of ['undefined', '[object Object]', 'NaN'])
    if (prose.includes(leak) && !JSON.stringify(evidence).includes(leak)) throw wrong(`with "${leak}" in it`);
}
