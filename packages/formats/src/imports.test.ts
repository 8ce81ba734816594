import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { expect, test } from 'vitest';

test('of the core, the readers load what says whether an event is one, and words: no detector, no watch', async () => {
  const { metafile } = await build({
    entryPoints: [fileURLToPath(new URL('index.ts', import.meta.url))],
    conditions: ['loopfuse-source'],
    platform: 'node',
    format: 'esm',
    bundle: true,
    metafile: true,
    write: false,
    treeShaking: false,
    ignoreAnnotations: true,
  });
  const core = fileURLToPath(new URL('../../core/src/', import.meta.url));
  const ofCore = Object.keys(metafile.inputs)
    .map((input) => relative(core, input))
    .filter((input) => !input.startsWith('..'));
  expect(ofCore).toContain('event.ts');
  expect(ofCore.filter((input) => input !== 'event.ts' && !input.startsWith('words/'))).toEqual([]);
});
