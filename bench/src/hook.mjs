// How long a hook takes from start to answer, beside a Node that does nothing: a hook runs at every call of an agent.
//
// Usage: npm run bench:hook [-- ROUNDS]     every round starts each contender once, in turn
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { machineLine, spread, timed } from './process-times.mjs';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const bundle = here('../../packages/hooks/bundle/hook.cjs');
const command = here('../../packages/cli/bin/loopfuse.cjs');
const rounds = Number(process.argv[2] ?? 100);
if (!Number.isSafeInteger(rounds) || rounds < 1) {
  console.error(`bench:hook: expected a number of rounds, for example 100, got ${JSON.stringify(process.argv[2])}`);
  process.exit(2);
}
const limit = 1.5;
const words = [...new Set(readFileSync(here('../../README.md'), 'utf8').match(/[a-z]{4,}/g))];

/** An agent at work in a home folder of its own: a call and its result by turns, each time another, and a transcript that grows. */
function agentIn(home) {
  mkdirSync(home, { recursive: true });
  const transcript = join(home, 'session.jsonl');
  let moments = 0;
  const text = (seed, length) =>
    Array.from({ length }, (_, k) => words[(seed * 31 + k * k * 7 + k) % words.length]).join(' ');
  return () => {
    const isResult = moments++ % 2 === 1;
    const id = (moments - 1) >> 1;
    const message = { id: `m${moments}`, content: [{ type: 'text', text: text(moments, 12) }] };
    const line = JSON.stringify({ type: 'assistant', uuid: `u${moments}`, sessionId: 's', message });
    writeFileSync(transcript, `${line}\n`, { flag: 'a' });
    return JSON.stringify({
      ...{ session_id: 's', transcript_path: transcript, cwd: home, tool_name: 'Read', tool_use_id: `call-${id}` },
      ...{
        hook_event_name: isResult ? 'PostToolUse' : 'PreToolUse',
        tool_input: { file_path: `/src/${text(id, 2)}.ts` },
      },
      ...(isResult ? { tool_response: { file: { content: text(id, 400) } } } : {}),
    });
  };
}

const contenders = {
  'node -e 0': ['-e', '0'],
  'the hook, as installed': [bundle, 'claude-code'],
  'loopfuse hook': [command, 'hook', 'claude-code'],
};

const root = mkdtempSync(join(tmpdir(), 'loopfuse-bench-hook-'));
const runs = Object.entries(contenders).map(([name, args], k) => {
  const home = join(root, String(k));
  return { name, args, home, next: agentIn(home), times: [] };
});
try {
  for (let round = -4; round < rounds; round++)
    for (const { name, args, home, next, times } of runs) {
      const { status, stdout, stderr, took } = timed(args, { home, input: next() });
      if (status !== 0 || stdout.length > 0) throw new Error(`${name} ended with ${status}: ${stdout}${stderr}`);
      if (round >= 0) times.push(took);
    }
} finally {
  rmSync(root, { recursive: true, force: true });
}

console.log(machineLine(rounds));
const base = spread(runs[0].times);
for (const { name, times } of runs) {
  const { least, median } = spread(times);
  const beside = `${(median / base.median).toFixed(2)} (median), ${(least / base.least).toFixed(2)} (least) times node -e 0`;
  console.log(`${name.padEnd(24)} median ${median.toFixed(1)} ms, least ${least.toFixed(1)} ms: ${beside}`);
}
const ratio = spread(runs[1].times).median / base.median;
console.log(`${ratio <= limit ? 'Within' : 'MORE than'} ${limit} times, by the medians.`);
process.exitCode = ratio <= limit ? 0 : 1;
