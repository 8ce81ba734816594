import { nodeProblem } from './node-version.js';

const [, , command, agent] = process.argv;
// What the rest is written in may not even load on an old Node, so it is imported only after the check.
const problem = nodeProblem(process.versions.node);
if (command === 'hook' && agent !== undefined && !agent.startsWith('-')) runHook();
else if (problem !== undefined) giveUp(problem);
else
  Promise.all([import('./run.js'), import('./process-shell.js')]).then(
    ([{ run }, { processShell }]) => run(process.argv.slice(2), processShell()),
    (cause: unknown) => giveUp(`a part of it could not be loaded; please install it again. ${String(cause)}`),
  );

/** An agent waits at every call, so nothing else is loaded. Whatever goes wrong, it must not look like a refusal. */
function runHook(): void {
  Promise.all([import('node:module'), import('@loopfuse/hooks/bundle-path')])
    .then(([{ createRequire }, { hookBundle }]) => {
      process.argv.splice(1, 2, hookBundle);
      createRequire(import.meta.url)(hookBundle);
    })
    .catch(() => {
      process.exitCode = 0;
    });
}

function giveUp(message: string): void {
  process.stderr.write(`loopfuse: ${message}\n`);
  process.exitCode = 1;
}
