import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export interface ModelProcess {
  readonly url: string;
  /** Ends it as `kill -9` does. */
  kill(): Promise<void>;
}

/** A model server in a process of its own, which says one word after the other and never comes to an end. */
export async function startModelProcess(): Promise<ModelProcess> {
  const child: ChildProcess = spawn(process.execPath, ['--input-type=module', '-e', program], {
    cwd: fileURLToPath(new URL('.', import.meta.url)), // from where the packages can be imported
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(child.stdout!.setEncoding('utf8'), 'data')) as [string];
  return {
    url: line.trim(),
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}

const program = `
  import { startModelServer } from '@loopfuse/model-server';
  const words = Array.from({ length: 20_000 }, (_, k) => ((k + 1) * 7919 % 1_000_003).toString(36)).join(' ');
  const server = await startModelServer({ script: () => ({ parts: [{ text: words }], pace: { delay: 5 } }) });
  console.log(server.url);
`;
