import { readdirSync, readFileSync } from 'node:fs';
import { presetLaws } from '@loopfuse/testkit';
import { type AgentEvent, createWatch, type Finding } from 'loopfuse';
import { balanced } from 'loopfuse/presets';
import { describe, expect, test } from 'vitest';

const corpus = new URL('../../../../corpus/', import.meta.url);

interface Label {
  readonly file: string;
  readonly verdict: 'loop' | 'clean' | 'borderline';
  readonly loops: readonly { onset: number; end: number }[];
}

const labels = new Map<string, Label>(
  readFileSync(new URL('labels.jsonl', corpus), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Label)
    .map((label) => [label.file, label]),
);

const sessions = ['loops', 'work'].flatMap((folder) =>
  readdirSync(new URL(`${folder}/`, corpus)).map((name) => `${folder}/${name.replace(/\.jsonl$/, '')}`),
);

const scenes = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, eventsOf(name)]));

presetLaws(() => balanced(), {
  name: 'balanced',
  loops: scenes(['loops/claude-edit-string-not-found', 'loops/gemini-three-step-cycle', 'loops/text-token-chant']),
  work: scenes(['work/git-bisect', 'work/text-adventure', 'work/copilot-pr-checks-pending']),
  runs: 15,
});

describe('balanced on the corpus', () => {
  test('every session there is labelled, and every label has its session', () => {
    expect([...labels.keys()].sort()).toEqual([...sessions].sort());
  });

  test.each(sessions.filter((name) => name.startsWith('work/')))('it is never sure of a loop in %s', (name) => {
    const watch = createWatch({ detectors: balanced() });
    expect(findings(name).map((finding) => `${finding.detector} at ${finding.seq}: ${watch.explain(finding)}`)).toEqual(
      [],
    );
  });

  test('it catches nine loops of ten within their bounds', () => {
    const loops = [...labels.values()].filter(({ verdict }) => verdict === 'loop');
    const missed = loops.filter(
      ({ file, loops: spans }) =>
        !findings(file).some((finding) =>
          spans.some((span) => finding.seq >= span.onset && finding.seq <= span.end + 2),
        ),
    );
    expect(loops.length).toBeGreaterThanOrEqual(40);
    expect(missed.length / loops.length, `missed: ${missed.map(({ file }) => file).join(', ')}`).toBeLessThanOrEqual(
      0.1,
    );
  });
});

function eventsOf(name: string): readonly AgentEvent[] {
  const lines = readFileSync(new URL(`${name}.jsonl`, corpus), 'utf8')
    .trim()
    .split('\n');
  return lines.slice(1).map((line) => JSON.parse(line) as AgentEvent);
}

function findings(name: string): readonly Finding[] {
  const watch = createWatch({ detectors: balanced() });
  return eventsOf(name).flatMap((event) => {
    const verdict = watch.observe(event);
    return verdict.status === 'clear'
      ? []
      : verdict.findings.filter(({ status, again }) => status === 'looping' && again === 0);
  });
}
