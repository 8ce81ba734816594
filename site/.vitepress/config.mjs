import { statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitepress';
import { slugOf } from '../../scripts/links/markdown.mjs';
import { apiFolder } from '../api-reference.mjs';
import { linksOfPages, linksToReference } from '../links-of-pages.mjs';
import { navigation } from '../navigation.mjs';
import { addressOf, isPage, notPages } from '../pages.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const { nav, sidebar } = navigation();

export default defineConfig({
  title: 'Loopfuse',
  description: 'A circuit breaker for AI agents',
  lang: 'en',
  // The pages are the Markdown files of the repository in their places; nothing is copied.
  srcDir: root,
  srcExclude: notPages,
  outDir: join(root, 'out/site'),
  cacheDir: join(root, '.cache/vitepress'),
  rewrites: addressOf,
  lastUpdated: false,
  // A broken link fails the build.
  ignoreDeadLinks: false,
  markdown: {
    // The default colours have too little contrast with the background of a code block, especially for comments.
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    anchor: { slugify: slugOf },
    config(markdown) {
      linksOfPages(markdown, {
        root,
        isPage: (file) => isPage(file) && statSync(join(root, file), { throwIfNoEntry: false })?.isFile() === true,
      });
      linksToReference(markdown, {
        apiFolder,
        isLinked: ({ realPath }) => realPath?.startsWith(join(root, 'docs/')) === true,
      });
    },
  },
  themeConfig: {
    nav,
    sidebar,
    outline: { level: [2, 3] },
    search: { provider: 'local' },
    docFooter: { prev: true, next: true },
    footer: { message: 'MIT License' },
  },
  vite: {
    // Do not load the configuration of the workspace's tests.
    configFile: false,
    build: { chunkSizeWarningLimit: 4000 },
    server: { fs: { allow: [root] } },
  },
});
