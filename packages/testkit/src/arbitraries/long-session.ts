import type { AgentEvent, Readable } from 'loopfuse';

const vocabulary =
  'the file test error which should now be read again because function returns value from module'.split(' ');

/**
 * Quickly makes a long session with always new events from a seed: calls, outcomes and texts that differ, repeat and
 * fail, some of them long. It has only events for detectors that read `reads`. Prompts, which reset detectors, are in
 * the last tenth only.
 */
export function* longSession(reads: ReadonlySet<Readable>, events: number, seed = 1): Generator<AgentEvent> {
  const random = mulberry32(seed);
  const below = (n: number): number => Math.floor(random() * n);
  const makers = makersOf(reads, below);
  const prompts = reads.has('prompt') || reads.has('step');
  for (let made = 0; made < events; ) {
    if (prompts && made > events * 0.9 && below(200) === 0) {
      yield { type: 'prompt', id: `prompt-${made}`, text: words(below) };
      made++;
    }
    for (const event of makers[below(makers.length)]!(made)) {
      yield event;
      made++;
    }
  }
}

type Maker = (made: number) => readonly AgentEvent[];

function makersOf(reads: ReadonlySet<Readable>, below: (n: number) => number): readonly Maker[] {
  const makers: Maker[] = [];
  if (reads.has('step') || reads.has('tool-call') || reads.has('tool-result')) {
    const step: Maker = (made) => callAndResult(made, below);
    makers.push(step, step, step, step);
  }
  if (reads.has('text') || reads.has('words')) makers.push(() => [{ type: 'text', text: delta(below) }]);
  if (reads.has('reasoning') || reads.has('words')) makers.push(() => [{ type: 'reasoning', text: delta(below) }]);
  if (reads.has('usage')) makers.push(() => [{ type: 'usage', inputTokens: below(5000), outputTokens: below(500) }]);
  if (reads.has('opinion'))
    makers.push((made) => [
      { type: 'opinion', by: `judge-${made}`, confidence: below(100) / 100, analysis: words(below) },
    ]);
  if (reads.has('steer')) makers.push(() => [{ type: 'steer', text: words(below) }]);
  const turns: readonly Readable[] = ['turn-start', 'turn-end', 'step', 'words'];
  if (turns.some((type) => reads.has(type)) || makers.length === 0)
    makers.push(() => [{ type: 'turn-end' }, { type: 'turn-start' }]);
  if (reads.has('retry')) makers.push(() => (below(50) === 0 ? [{ type: 'retry' }] : [{ type: 'turn-start' }]));
  if (reads.has('compaction'))
    makers.push(() => (below(50) === 0 ? [{ type: 'compaction' }] : [{ type: 'turn-start' }]));
  return makers;
}

function callAndResult(made: number, below: (n: number) => number): readonly AgentEvent[] {
  const id = below(100) === 0 ? `${made}-${'x'.repeat(2000)}` : `${made}`;
  const tool = ['read_file', 'replace', 'run_shell_command', 'grep', `tool_${below(400)}`, 'job_status'][below(6)]!;
  const about = below(3) === 0 ? `src/${below(6)}.ts` : `src/${made}/${below(1e6)}.ts`;
  const input = { path: about, command: `check ${about}`, note: below(100) === 0 ? 'long '.repeat(800) : '' };
  const call: AgentEvent = { type: 'tool-call', id, tool, input };
  if (below(40) === 0) return [call];
  return [call, { type: 'tool-result', id, output: outcome(made, below), failed: below(5) === 0 }];
}

function outcome(made: number, below: (n: number) => number): string {
  const form = below(8);
  if (form === 0) return '';
  if (form === 1) return 'The file was updated successfully.';
  if (form === 2) return `Error: cannot find name 'thing${below(1e6)}' in module ${made}`;
  if (form === 3) return 'Error: ENOENT: no such file or directory';
  if (form === 4 && below(20) === 0) return `${words(below)} ${made}\n`.repeat(60);
  return `${words(below)} ${made}`;
}

function delta(below: (n: number) => number): string {
  if (below(400) === 0) return `${words(below)} `.repeat(80);
  return below(8) === 0 ? `\n\n${words(below)}.` : `${vocabulary[below(vocabulary.length)]!} ${below(1e5)} `;
}

function words(below: (n: number) => number): string {
  return `${vocabulary[below(vocabulary.length)]!} ${vocabulary[below(vocabulary.length)]!} ${below(1e6)} ${vocabulary[below(vocabulary.length)]!}`;
}

/** Mulberry32: a small, fast, seeded generator of numbers from 0 to 1. */
function mulberry32(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
