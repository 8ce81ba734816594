import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Client, createClient, createModel } from '@loopfuse/agent';
import { type Script, startModelServer } from '@loopfuse/model-server';
import { unattended } from 'loopfuse';

/** A place for the real agent: a workspace of its own, and the scripted model behind a real protocol. */
export interface Stage {
  /** An agent in a fresh workspace; the model follows the script. */
  agent(script: Script, options?: { readonly guarded?: boolean; readonly maxTurns?: number }): Promise<Client>;
  close(): Promise<void>;
}

export async function openStage(files: Readonly<Record<string, string>>): Promise<Stage> {
  const server = await startModelServer({ script: () => ({}) });
  const folder = await mkdtemp(join(tmpdir(), 'loopfuse-demo-'));
  const { model } = createModel(
    { provider: 'anthropic', model: 'scripted-model', baseURL: `${server.url}/v1`, apiKey: 'none-is-needed' },
    {},
  );
  return {
    async agent(script, { guarded = true, maxTurns = 40 } = {}) {
      server.setScript(script);
      for (const [path, text] of Object.entries(files)) await writeFile(join(folder, path), text);
      return createClient({
        model,
        root: folder,
        approval: 'yolo', // it is our own model, in a folder of its own
        policy: unattended,
        maxTurns,
        disableDetection: !guarded,
      });
    },
    async close() {
      await server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
