import { defineConfig, mergeConfig } from 'vite';
import { onePage } from './build/one-page.js';
import base from './vite.config.js';

// The live page of the gateway, built from the same parts as the report. It may connect to the server that it came from.
export default defineConfig(
  mergeConfig(
    { ...base, plugins: [] },
    {
      build: { rolldownOptions: { input: 'src/live/main.tsx' } },
      plugins: [onePage('src/live/live.html', { name: 'live.html', sources: ["connect-src 'self'"] })],
    },
  ),
);
