// How long the command takes from its start to its end where there is little to do, beside a Node that does nothing.
//
// Usage: npm run bench:start [-- ROUNDS [OTHER]]     OTHER is another checkout, built; all are started by turns
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { machineLine, spread, timed } from './process-times.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const [rounds = '20', other] = process.argv.slice(2);
if (!/^[1-9]\d{0,4}$/.test(rounds)) {
  console.error(`bench:start: expected a number of rounds, for example 20, got ${JSON.stringify(rounds)}`);
  process.exit(2);
}
const session = join(root, 'corpus', 'loops', 'browser-dead-button.jsonl');
const lines = [['--version'], ['--help'], ['scan', '--help'], ['chat', '--help'], ['scan', '--no-cache', session]];
const checkouts = [['', root], ...(other === undefined ? [] : [['other: ', resolve(other)]])];
const runs = [
  { name: 'node -e 0', args: ['-e', '0'], times: [] },
  ...lines.flatMap((args) =>
    checkouts.map(([label, folder]) => ({
      name: `${label}loopfuse ${args.join(' ').replace(session, 'FILE')}`,
      args: [join(folder, 'packages/cli/bin/loopfuse.cjs'), ...args],
      times: [],
    })),
  ),
];
const home = mkdtempSync(join(tmpdir(), 'loopfuse-bench-start-'));
try {
  for (let round = -2; round < Number(rounds); round++)
    for (const { name, args, times } of runs) {
      const { status, stderr, took } = timed(args, { home });
      if (status !== 0) throw new Error(`${name} ended with ${status}: ${stderr}`);
      if (round >= 0) times.push(took);
    }
} finally {
  rmSync(home, { recursive: true, force: true });
}

console.log(machineLine(Number(rounds)));
for (const { name, times } of runs) {
  const { least, median } = spread(times);
  console.log(`${name.padEnd(36)} median ${median.toFixed(0)} ms, least ${least.toFixed(0)} ms`);
}
