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

/** Everything a face needs to tell a person about a loop, as data. */
export interface LoopReport {
  readonly kind: LoopKind;
  /** A short name of the kind, for a heading. */
  readonly title: string;
  /** What repeats, and how often. */
  readonly explanation: string;
  readonly findings: readonly Finding[];
  /** Of the first finding. */
  readonly evidence: Json;
  readonly waste: Waste;
  readonly decision: Act;
}

/** A loop that ended the run, and what a person can do about it. */
export interface HaltReport extends LoopReport {
  /** What to offer; `stop` needs no action, all others go through `release` and `continue`. */
  readonly choices: readonly Choice[];
  /** Whether the agent of this preset takes the request up again by itself after a choice other than `stop`. */
  readonly resumes: boolean;
  /** Ids of the calls that will not be run. */
  readonly dropped: readonly string[];
  /** What the session had used by then; sessions of earlier versions do not tell. */
  readonly usage?: Usage;
}

/** What the guard's answer is about. */
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

/** What a person is offered: what the question says, or everything that makes sense for this loop. */
export function choicesOf(decision: Halt): readonly Choice[] {
  return decision.type === 'ask' ? decision.question.choices : choicesFor(decision.findings);
}

/** What to hand to `release`, one after the other, for what a person has chosen; nothing for `stop`. */
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

/** What the model is told when a loop has ended the run, for when it is asked again. */
export function feedbackOf({ kind, explanation }: LoopReport): string {
  return `Your work on this request was halted because it went in circles. ${explanation} ${loopKinds[kind].advice}`;
}
