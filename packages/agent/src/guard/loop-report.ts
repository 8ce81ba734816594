import {
  type Act,
  type Choice,
  choicesFor,
  type Finding,
  type Guard,
  type Halt,
  type Json,
  type LoopKind,
  loopKinds,
  type Release,
  type Waste,
} from 'loopfuse';
import type { Usage } from '../turn/draft.js';

/** Everything that a user interface needs to report a loop, as data. */
export interface LoopReport {
  readonly kind: LoopKind;
  /** A short name of the kind, for a heading. */
  readonly title: string;
  /** What repeats, and how many times. */
  readonly explanation: string;
  readonly findings: readonly Finding[];
  /** Of the first finding. */
  readonly evidence: Json;
  readonly waste: Waste;
  readonly decision: Act;
}

/** A loop that ended the run, and the choices of the user. */
export interface HaltReport extends LoopReport {
  /** What to offer; `stop` needs no action, all others go through `release` and `continue`. */
  readonly choices: readonly Choice[];
  /** Whether the agent of this preset continues the request by itself after a choice other than `stop`. */
  readonly resumes: boolean;
  /** Ids of the calls that will not be run. */
  readonly dropped: readonly string[];
  /** The usage of the session by then. Absent in sessions of earlier versions. */
  readonly usage?: Usage;
}

/** The report of a decision. */
export function reportOf(guard: Guard, decision: Act): LoopReport {
  const { findings } = decision;
  const [first] = findings;
  return {
    kind: first.kind,
    title: loopKinds[first.kind].title,
    explanation: guard.explain(first),
    findings,
    evidence: first.evidence,
    waste: first.waste,
    decision,
  };
}

/** The choices for the user: those of the question, or all that make sense for this loop. */
export function choicesOf(decision: Halt): readonly Choice[] {
  return decision.type === 'ask' ? decision.question.choices : choicesFor(decision.findings);
}

/** The releases for a choice of the user, to be passed to `release` in order. Empty for `stop`. */
export function releasesFor(choice: Choice, { findings }: Pick<LoopReport, 'findings'>): readonly Release[] {
  switch (choice) {
    case 'stop':
      return [];
    case 'continue':
    case 'hint':
    case 'disable':
      return [{ type: choice }];
    case 'exempt':
      return [...new Set(findings.flatMap(({ tools }) => tools))].map((tool) => ({ type: 'exempt', tool }));
  }
}

/** The note for the model about the loop that ended the run. It reads it with the next request. */
export function feedbackOf({ kind, explanation }: LoopReport): string {
  return `Your work on this request was halted because it went in circles. ${explanation} ${loopKinds[kind].advice}`;
}
