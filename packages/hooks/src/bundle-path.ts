import { fileURLToPath } from 'node:url';

/** `loopfuse hook` in one file, built into this package. */
export const hookBundle = fileURLToPath(new URL('../bundle/hook.cjs', import.meta.url));

/** The plugin for opencode in one file. */
export const opencodeBundle = fileURLToPath(new URL('../bundle/opencode.js', import.meta.url));
