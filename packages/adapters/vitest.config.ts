import { defineConfig } from 'vitest/config';
import root from '../../vitest.config.js';

// Against the real SDKs, which `scripts/adapters.mjs` installs into this folder.
export default defineConfig({
  ...root,
  test: { ...root.test, root: import.meta.dirname, include: ['*/src/**/*.test.ts'], testTimeout: 60_000 },
});
