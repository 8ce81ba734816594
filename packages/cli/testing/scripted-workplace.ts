import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type ModelServer, type Script, startModelServer, workspaceFiles } from '@loopfuse/model-server';
import { onTestFinished } from 'vitest';

/** A workspace, a home and a scripted model for one test; gone when it is over. */
export interface Workplace {
  readonly server: ModelServer;
  readonly root: string;
  readonly home: string;
  /** What to give to `loopfuse chat` so that it works here, with this model. */
  readonly flags: readonly string[];
  /** Writes files below the workspace; those beginning with `~/` go into the home. */
  put(files: Readonly<Record<string, string>>): void;
}

export async function scriptedWorkplace(script: Script): Promise<Workplace> {
  const server = await startModelServer({ script });
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'loopfuse-cli-')));
  onTestFinished(async () => {
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const root = join(folder, 'project');
  const home = join(folder, 'home');
  mkdirSync(home, { recursive: true });
  function put(files: Readonly<Record<string, string>>): void {
    for (const [path, text] of Object.entries(files)) {
      const file = path.startsWith('~/') ? join(home, path.slice(2)) : join(root, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    }
  }
  put(workspaceFiles);
  const flags = [
    '-C',
    root,
    '--provider',
    'openai-compatible',
    '--base-url',
    `${server.url}/v1`,
    '-m',
    'scripted-model',
  ];
  return { server, root, home, flags, put };
}
