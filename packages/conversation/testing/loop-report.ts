import type { HaltReport } from '@loopfuse/agent';
import type { Choice, Finding } from 'loopfuse';

const everything: readonly Choice[] = ['stop', 'continue', 'hint', 'exempt', 'disable'];

/** Each choice about a loop, with a hint where it needs one. */
export const choicesWithHints: readonly (readonly [Choice, string | undefined])[] = everything.map((choice) => [
  choice,
  choice === 'hint' ? 'Look into src.' : undefined,
]);

/** A loop of calls that halted a request, as the agent reports it. */
export function callLoop(more: Partial<HaltReport> = {}): HaltReport {
  const waste = { calls: 3, characters: 0, tokens: 2340 };
  const finding: Finding = {
    detector: 'any-detector',
    kind: 'repeated-calls',
    status: 'looping',
    seq: 15,
    onset: 7,
    episode: '1',
    again: 0,
    confidence: 0.9,
    evidence: { times: 3 },
    tools: ['read_file'],
    calls: [1],
    waste,
  };
  return {
    kind: 'repeated-calls',
    title: 'Repeated calls',
    explanation: 'The call read_file (README.md) was made 3 times in a row, with the same result each time.',
    findings: [finding],
    evidence: finding.evidence,
    waste,
    decision: { type: 'ask', question: { message: 'A loop.', choices: everything }, findings: [finding] },
    choices: everything,
    resumes: true,
    dropped: ['c4'],
    ...more,
  };
}

/** A loop in what the model says. */
export function textLoop(): HaltReport {
  const { findings, ...rest } = callLoop();
  return {
    ...rest,
    kind: 'chanting',
    title: 'Chanting',
    explanation: 'The message repeats "I will check. " (14 characters) 9 times in a row word for word.',
    findings: findings.map((finding) => ({ ...finding, kind: 'chanting' as const, tools: [], calls: [] })),
    waste: { calls: 0, characters: 126, tokens: 0 },
    choices: everything.filter((choice) => choice !== 'exempt'),
    dropped: [],
  };
}
