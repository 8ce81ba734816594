import { fileURLToPath } from 'node:url';
import { mergeConfig } from 'vitest/config';
import base from '../../../vitest.config.js';

// What needs a real Redis, apart from the unit suite: `npm run test:store`.
export default mergeConfig(
  { ...base, test: { ...base.test, include: [] } },
  {
    root: fileURLToPath(new URL('../../..', import.meta.url)),
    test: { include: ['packages/{store,cli,gateway}/e2e/*.test.ts'], testTimeout: 180_000 },
  },
);
