import type { AgentEvent, Finding } from 'loopfuse';
import type { LawOptions, MakeDetectors } from './law.js';
import { assertNoFaults, play } from './play.js';

/** It gives a finding on a known loop, `suspect` or `looping`. */
export function checkFires(make: MakeDetectors, loop: readonly AgentEvent[], { tools }: LawOptions = {}): void {
  if (findingsOf(make, loop, tools).length === 0)
    throw new Error(`no finding in ${loop.length} events that are a loop`);
}

/** It gives no finding on work without loops. */
export function checkSilent(make: MakeDetectors, work: readonly AgentEvent[], { tools }: LawOptions = {}): void {
  for (const finding of findingsOf(make, work, tools)) throw alarm(make, finding, work);
}

/** On work without loops it may give `suspect`, but not `looping`. */
export function checkNoAlarm(make: MakeDetectors, work: readonly AgentEvent[], { tools }: LawOptions = {}): void {
  for (const finding of findingsOf(make, work, tools))
    if (finding.status === 'looping') throw alarm(make, finding, work);
}

function findingsOf(
  make: MakeDetectors,
  events: readonly AgentEvent[],
  tools: LawOptions['tools'],
): readonly Finding[] {
  const { findings, faults } = play(make(), events, tools);
  assertNoFaults(faults, 'scene');
  return findings.flat();
}

function alarm(make: MakeDetectors, finding: Finding, events: readonly AgentEvent[]): Error {
  const detector = make().find(({ name }) => name === finding.detector);
  return new Error(
    `${finding.detector} took work for a loop at event ${finding.seq} of ${events.length}: ${detector?.explain(finding.evidence)}`,
  );
}
