import { callFor, chants, cutsTheStream, type Script, say } from '@loopfuse/model-server';
import { describe, expect, test } from 'vitest';
import { type Ended, runLoopfuse } from '../../../../testing/run-loopfuse.js';
import { scriptedWorkplace } from '../../../../testing/scripted-workplace.js';

async function run(script: Script, ...args: readonly string[]): Promise<Ended & { result: Record<string, unknown> }> {
  const place = await scriptedWorkplace(script);
  const ended = await runLoopfuse(['chat', ...place.flags, '-p', 'go', '-o', 'json', ...args], {
    env: { HOME: place.home },
  });
  return { ...ended, result: JSON.parse(ended.stdout) };
}

const writes: Script = (turn) =>
  turn.results.length === 0
    ? { parts: [callFor(turn, { write: 'a.txt', content: 'a' })] }
    : say('I could not write it.');

describe('a run that ends and cannot have done its task', () => {
  test.each<[string, Script, string, RegExp]>([
    ['an answer that is cut by its length', () => ({ ...say('Half of'), finish: 'length' }), 'cut-off', /was cut off/],
    ['an answer that a filter cuts', () => ({ ...say('Half of'), finish: 'refused' }), 'filtered', /content filter/],
    ['no answer at all', () => say(''), 'empty', /answer of the model was empty/],
    ['a call that nobody could approve', writes, 'needs-approval', /1 call needed approval.*write_file \(a\.txt\)/],
  ])('%s: exit code 4, named on standard error and in JSON', async (_, script, status, reason) => {
    const { code, stderr, result } = await run(script);
    expect([code, result.status, result.exitCode]).toEqual([4, status, 4]);
    expect(result.reason).toMatch(reason);
    expect(stderr).toMatch(reason);
  });

  test('a change that auto-edit asks about names what lets it run', async () => {
    const input = { path: '.vscode/settings.json', content: '{}' };
    const { result } = await run(
      (turn) => (turn.results.length > 0 ? say('Done.') : { parts: [{ call: { tool: 'write_file', input } }] }),
      ...['--approval', 'auto-edit'],
    );
    expect(result.reason).toMatch(
      /auto-edit lets edits run, except those of configuration files; yolo lets everything/,
    );
  });

  test('with approval the same run is done', async () => {
    const { code, result } = await run(writes, '--approval', 'yolo');
    expect([code, result.status, result.refused]).toEqual([0, 'done', []]);
  });
});

describe('a turn that is broken off', () => {
  test('by the guard counts in the tokens', async () => {
    const { result } = await run(chants({ times: 2000 }), '--on-loop', 'stop');
    expect(result.status).toBe('loop');
    const { inputTokens, outputTokens } = result.usage as { inputTokens: number; outputTokens: number };
    expect(inputTokens).toBeGreaterThan(0);
    expect(outputTokens).toBeGreaterThan(10);
  });

  test('by the server says so, and counts', async () => {
    const { code, stderr, result } = await run(cutsTheStream({ after: 6 }));
    expect([code, result.status]).toEqual([1, 'error']);
    expect(stderr).toMatch(
      /The request failed: The answer was cut off: http:\/\/127\.0\.0\.1:\d+ closed the connection too early/,
    );
    expect(stderr).not.toMatch(/Failed to process/);
    expect((result.usage as { inputTokens: number }).inputTokens).toBeGreaterThan(0);
  });
});
