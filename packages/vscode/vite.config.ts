import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** The page: one script and one style sheet with fixed names, and nothing inline, for the content security policy. */
export default defineConfig({
  root: path('src/webview'),
  resolve: { conditions: ['loopfuse-source', 'browser', 'module', 'import', 'default'] },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: path('dist/webview'),
    emptyOutDir: true,
    target: 'chrome132', // the Chromium of VS Code 1.100
    modulePreload: false,
    cssCodeSplit: false,
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rolldownOptions: {
      input: path('src/webview/main.tsx'),
      output: { format: 'iife', entryFileNames: 'index.js', assetFileNames: 'index[extname]' },
    },
  },
});
