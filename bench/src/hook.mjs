// How long a hook takes from start to answer, beside a Node that does nothing: a hook runs at every call of an agent.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const bundle = fileURLToPath(new URL('../../packages/hooks/bundle/hook.cjs', import.meta.url));
const command = fileURLToPath(new URL('../../packages/cli/bin/loopfuse.js', import.meta.url));
const runs = Number(process.argv[2] ?? 60);
const limit = 1.5;

const home = mkdtempSync(join(tmpdir(), 'loopfuse-bench-hook-'));
const transcript = join(home, 'session.jsonl');
let calls = 0;
const env = { HOME: home, PATH: process.env.PATH };

/** A call and its result by turns, each time another, with a transcript that grows. */
function payload() {
  const isResult = calls++ % 2 === 1;
  const id = calls >> 1;
  const message = { id: `m${calls}`, content: [{ type: 'text', text: `Step ${calls}: I look at the next file now.` }] };
  writeFileSync(transcript, `${JSON.stringify({ type: 'assistant', uuid: `u${calls}`, sessionId: 's', message })}\n`, {
    flag: 'a',
  });
  return JSON.stringify({
    ...{ session_id: 's', transcript_path: transcript, cwd: home, tool_name: 'Read', tool_use_id: `call-${id}` },
    ...{ hook_event_name: isResult ? 'PostToolUse' : 'PreToolUse', tool_input: { file_path: `/src/file-${id}.ts` } },
    ...(isResult ? { tool_response: { file: { content: `export const value${id} = ${id};\n`.repeat(100) } } } : {}),
  });
}

const contenders = {
  'node -e 0': () => ['-e', '0'],
  'the hook, as installed': () => [bundle, 'claude-code'],
  'loopfuse hook': () => [command, 'hook', 'claude-code'],
};

const times = Object.fromEntries(Object.keys(contenders).map((name) => [name, []]));
try {
  for (let k = -3; k < runs; k++)
    for (const [name, args] of Object.entries(contenders)) {
      const input = name === 'node -e 0' ? '' : payload();
      const begun = process.hrtime.bigint();
      const { status, stderr } = spawnSync(process.execPath, args(), { input, env });
      const took = Number(process.hrtime.bigint() - begun) / 1e6;
      if (status !== 0) throw new Error(`${name} ended with ${status}: ${stderr}`);
      if (k >= 0) times[name].push(took);
    }
} finally {
  rmSync(home, { recursive: true, force: true });
}

console.log(`Node ${process.version}, ${cpus()[0]?.model ?? 'unknown processor'}, ${runs} runs each, by turns`);
const [base] = Object.values(times).map(quartiles);
for (const [name, all] of Object.entries(times)) {
  const { least, median } = quartiles(all);
  const beside = `${(least / base.least).toFixed(2)} (least), ${(median / base.median).toFixed(2)} (median) times node -e 0`;
  console.log(`${name.padEnd(24)} least ${least.toFixed(1)} ms, median ${median.toFixed(1)} ms: ${beside}`);
}
const ratio = Math.min(
  ...['least', 'median'].map((key) => quartiles(times['the hook, as installed'])[key] / base[key]),
);
console.log(ratio <= limit ? `Within ${limit} times.` : `MORE than ${limit} times.`);
process.exitCode = ratio <= limit ? 0 : 1;

function quartiles(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return { least: sorted[0], median: sorted[sorted.length >> 1] };
}
