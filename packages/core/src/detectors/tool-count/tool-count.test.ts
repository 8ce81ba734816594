import { detectorLaws, play, session } from '@loopfuse/testkit';
import { describe, expect, test } from 'vitest';
import { type ToolCountOptions, toolCount } from './tool-count.js';

const limits = { times: 5, timesFor: { read_file: 4 } };

detectorLaws(() => toolCount(limits), {
  loops: {
    'file after file': session().repeat(4, (s, k) => s.call('read_file', { path: `${k}.ts` }).result('text')),
    'among other calls': session().repeat(5, (s, k) => s.call('shell', { k }).call(`tool_${k}`, {})),
  },
  work: {
    'a few of each': session().repeat(3, (s, k) => s.call('read_file', { k }).call('shell', { k }).call('edit', { k })),
    'a few for each prompt': session().repeat(6, (s) =>
      s.prompt('next').repeat(3, (t, k) => t.call('read_file', { k })),
    ),
  },
  stateBytes: 18_000,
});

function speaksAt(events: ReturnType<typeof session>, options: ToolCountOptions = limits): number[] {
  const { findings } = play([toolCount(options)], events.events);
  return findings.flatMap((found, at) => (found.length > 0 ? [at] : []));
}

describe('toolCount', () => {
  test('speaks at the fifth call of a tool, whatever its inputs', () => {
    expect(speaksAt(session().repeat(6, (s, k) => s.call('shell', { k })))).toEqual([4, 5]);
  });

  test('speaks earlier of the tools it is told to', () => {
    expect(speaksAt(session().repeat(4, (s, k) => s.call('read_file', { k })))).toEqual([3]);
  });

  test('counts in total, not in a row', () => {
    expect(speaksAt(session().repeat(4, (s, k) => s.call('read_file', { k }).call('shell', { k })))).toEqual([6]);
  });

  test('tells tools apart to the letter', () => {
    expect(speaksAt(session().call('a b').call('a  b').call('a\tb').call('A b').call('a b').call('a b'))).toEqual([]);
  });

  test('asks at each prompt whether to count, and does not count before the first', () => {
    const answers = [false, true];
    const options = { times: 2, onlyIf: () => answers.shift() ?? false };
    const round = (s: ReturnType<typeof session>) => s.call('ls', { a: 1 }).call('ls', { a: 2 });
    expect(speaksAt(round(round(round(session()).prompt()).prompt()), options)).toEqual([7]);
  });

  test('tells tool, count and limit', () => {
    const { watch, findings } = play(
      [toolCount(limits)],
      session().repeat(4, (s, k) => s.call('read_file', { k })).events,
    );
    const [finding] = findings[3]!;
    expect(finding).toMatchObject({
      onset: 1,
      tools: ['read_file'],
      evidence: { tool: 'read_file', times: 4, limit: 4 },
    });
    expect(watch.explain(finding!)).toBe('read_file was called 4 times in one request (the limit is 4).');
  });

  test('refuses limits below two, and says of which tool', () => {
    expect(() => toolCount({ times: 0 })).toThrow('toolCount: times must be an integer of at least 2, got 0');
    expect(() => toolCount({ timesFor: { ls: 1 } })).toThrow(
      'toolCount: timesFor "ls" must be an integer of at least 2, got 1',
    );
  });
});
