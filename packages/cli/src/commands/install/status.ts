import { agents, type Status, statusOf } from '@loopfuse/hooks';
import { exitCode } from '../../exit-code.js';
import type { Shell } from '../../shell.js';
import type { ChangeFlags } from './install.js';

/** Which agents are guarded, where, how, and what is wrong with it. */
export async function status({ project, json = false }: ChangeFlags, shell: Shell): Promise<void> {
  const { env, out } = shell;
  const all = statusOf({ env, project: typeof project === 'string' ? project : process.cwd() });
  if (json) for (const one of all) await out.write(`${JSON.stringify(one)}\n`);
  else {
    const shown = all.filter(({ state, scope }) => state !== 'absent' || scope === 'user');
    for (const one of shown) await out.write(`${lineOf(one, shell)}\n`);
    await out.write(
      `\n"${shell.command} install AGENT" guards an agent. What the hooks did is logged in ~/.loopfuse/hooks/hook.log.\n`,
    );
  }
  if (all.some(({ problem }) => problem !== undefined)) shell.exitCode = exitCode.failed;
}

function lineOf({ agent, scope, file, state, policy, problem }: Status, { out }: Shell): string {
  const title = `${agents[agent].title}${scope === 'project' ? ' (project)' : ''}`.padEnd(22);
  if (state === 'absent') return `${title} ${out.paint('not installed', 'dim')}`;
  const colour = problem === undefined ? 'green' : 'red';
  const how = policy === undefined ? '' : ` (${policy})`;
  return `${title} ${out.paint(state, colour)}${how} in ${out.say(file)}${problem === undefined ? '' : `: ${out.say(problem)}`}`;
}
