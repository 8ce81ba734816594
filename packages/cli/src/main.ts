import { nodeProblem } from './node-version.js';

// What the rest is written in may not even load on an old Node, so it is imported only after the check.
const problem = nodeProblem(process.versions.node);
if (problem !== undefined) giveUp(problem);
else
  Promise.all([import('./run.js'), import('./process-shell.js')]).then(
    ([{ run }, { processShell }]) => run(process.argv.slice(2), processShell()),
    (cause: unknown) => giveUp(`a part of it could not be loaded; please install it again. ${String(cause)}`),
  );

function giveUp(message: string): void {
  process.stderr.write(`loopfuse: ${message}\n`);
  process.exitCode = 1;
}
