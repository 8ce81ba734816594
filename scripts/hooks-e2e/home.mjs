import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startModelServer, workspaceFiles } from '@loopfuse/model-server';
import { binOf } from '../agents-e2e/install-agent.mjs';
import { runProgram } from '../agents-e2e/run-program.mjs';

const cli = fileURLToPath(new URL('../../packages/cli/bin/loopfuse.js', import.meta.url));

/** A home folder with one agent in it, and what can be done there. */
export function createHome(hooked, home) {
  const { agent, name } = hooked;
  const env = {
    PATH: [binOf(agent), dirname(process.execPath), process.env.PATH].join(':'),
    HOME: home,
    TMPDIR: join(home, 'tmp'),
    LANG: 'C.UTF-8',
    TERM: 'dumb',
  };
  mkdirSync(env.TMPDIR, { recursive: true });
  const place = { url: '', home, prompt: '' };
  const prepared = agent.prepare?.(place) ?? {};
  if (hooked.settings) prepared[hooked.file] = { ...prepared[hooked.file], ...hooked.settings };
  for (const [path, content] of Object.entries(prepared)) put(join(home, path), content);
  const file = join(home, hooked.file);
  const original = existsSync(file) ? readFileSync(file) : undefined;

  return {
    home,
    hooks: join(home, '.loopfuse/hooks'),
    file,
    /** `loopfuse <words>` as the user would type it. */
    loopfuse: (...words) => runProgram(process.execPath, [cli, ...words], { cwd: home, env }),
    /** Lines of the hooks' log. */
    log() {
      const log = join(home, '.loopfuse/hooks/hook.log');
      return existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : [];
    },
    isAsBefore: () =>
      original === undefined ? !existsSync(file) : existsSync(file) && readFileSync(file).equals(original),
    /** One request, worked on by the agent. */
    async converse(scene, script, { change = (args) => args } = {}) {
      const folder = join(home, `work-${scene}`);
      for (const [path, content] of Object.entries(workspaceFiles)) put(join(folder, path), content);
      const server = await startModelServer({ script });
      const { args, env: own } = agent.run({
        url: server.url,
        home,
        prompt: `Say what the main function does (${scene}).`,
      });
      const words = hooked.more(change(args));
      const { code, timedOut, said, begun, ended } = await runProgram(agent.command, words, {
        cwd: folder,
        env: { ...env, ...own },
        seconds: 300, // opencode looks for a network for a while before it begins
      });
      const turns = server.requests.filter(({ turn }) => turn !== undefined && turn.tools.length > 0);
      await server.close();
      return { name, scene, folder, code, timedOut, said, turns: turns.length, seconds: (ended - begun) / 1000 };
    },
  };
}

function put(path, content) {
  mkdirSync(dirname(path), { recursive: true });
  // With tabs and without a last line end, as nobody's tool would write it: it must come back just so.
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content, undefined, '\t'));
}
