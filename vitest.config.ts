import { defineConfig } from 'vitest/config';

// Tests import the packages by name and get their sources: the condition is named in every `exports`. The others are
// those of Node; `module` is not among them, because what it names is often readable for bundlers only.
const conditions = ['loopfuse-source', 'node', 'import', 'default'];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions }, noExternal: [/^loopfuse/, /^@loopfuse\//] },
  // Test files share the modules they load: none keeps state that shows, and loading takes longer than most tests.
  test: { include: ['packages/*/src/**/*.test.ts'], testTimeout: 60_000, isolate: false },
});
