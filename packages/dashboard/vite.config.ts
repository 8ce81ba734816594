import { defineConfig } from 'vite';
import { onePage } from './build/one-page.js';

export default defineConfig({
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    target: 'es2022',
    outDir: 'dist',
    emptyOutDir: false,
    cssCodeSplit: false,
    modulePreload: false,
    rolldownOptions: { input: 'src/page/main.tsx', output: { format: 'iife' } },
  },
  plugins: [onePage('src/page/page.html')],
});
