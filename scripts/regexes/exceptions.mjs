/**
 * Expressions outside the core that may take more than linear time in theory, and why they do not in practice: who
 * keeps their input short, or what bounds them. One that is not needed any more must go.
 */
export const exceptions = [
  {
    file: 'packages/agent/src/tools/search-file-content/search-walking.ts',
    regex: 'new RegExp(pattern)',
    why: 'only made here, to see whether it is one; it runs in a context of its own that stops it after a second a file',
  },
  {
    file: 'packages/testkit/src/metamorphic/error-words.ts',
    regex: "new RegExp(words.map(([word]) => word).join('|'), 'gi')",
    why: 'made of the list of words above it, plain text without repetition',
  },
  {
    file: 'scripts/browser-test.mjs',
    regex: '/<pre id="result">(.*?)<\\/pre>/s',
    why: 'reads the page that the script has written itself',
  },
];
