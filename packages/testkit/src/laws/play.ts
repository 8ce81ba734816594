import assert from 'node:assert/strict';
import {
  type AgentEvent,
  createWatch,
  type Detector,
  type Fault,
  type Finding,
  type ToolRules,
  type Watch,
} from 'loopfuse';

/** The result of a session: the findings of each event, and the faults. */
export interface Played {
  readonly watch: Watch;
  readonly findings: readonly (readonly Finding[])[];
  readonly faults: readonly Fault[];
}

/** Plays a session through a new watch. */
export function play(detectors: readonly Detector[], events: readonly AgentEvent[], tools: ToolRules = {}): Played {
  const faults: Fault[] = [];
  const watch = createWatch({ detectors, tools, onFault: (fault) => faults.push(fault) });
  return { watch, findings: events.map((event) => observe(watch, event)), faults };
}

export function observe(watch: Watch, event: AgentEvent): readonly Finding[] {
  const verdict = watch.observe(event);
  return verdict.status === 'clear' ? [] : verdict.findings;
}

/** A finding without its place in the session and without the cost. */
export function essence({ detector, kind, status, confidence, evidence, tools, calls }: Finding) {
  return { detector, kind, status, confidence, evidence, tools, calls };
}

/** A finding with its place and its onset mapped by `place`. */
export function essenceAt(finding: Finding, place: (seq: number) => number) {
  return { ...essence(finding), seq: place(finding.seq), onset: place(finding.onset), again: finding.again };
}

export function assertSame(actual: unknown, expected: unknown, law: string): void {
  try {
    assert.deepEqual(actual, expected);
  } catch (difference) {
    throw new Error(`${law}\n${difference instanceof Error ? difference.message : String(difference)}`);
  }
}

export function assertNoFaults(faults: readonly Fault[], law: string): void {
  const first = faults[0];
  if (first) throw new Error(`${law}: ${first.where} at event ${first.seq}: ${first.message}`, { cause: first.cause });
}
