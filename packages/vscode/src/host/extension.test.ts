import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { expect, test } from 'vitest';

test('the agent is not loaded when the window opens', async () => {
  const { metafile } = await build({
    absWorkingDir: fileURLToPath(new URL('../../../../', import.meta.url)),
    entryPoints: ['packages/vscode/src/host/extension.ts'],
    bundle: true,
    write: false,
    platform: 'node',
    format: 'cjs',
    conditions: ['loopfuse-source'],
    external: ['vscode'],
    metafile: true,
  });
  const loaded = new Set(['packages/vscode/src/host/extension.ts']);
  for (const file of loaded)
    for (const { path, kind, external } of metafile.inputs[file]!.imports)
      if (kind !== 'dynamic-import' && !external) loaded.add(path);
  expect(loaded).toContain('packages/vscode/src/host/keys.ts');
  expect([...loaded].filter((file) => file.startsWith('packages/agent/'))).toEqual([]);
});
