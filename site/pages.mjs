/** Folders whose Markdown files are not pages, wherever they are: test data, build output, installed packages. */
const folders = ['fixtures', 'e2e', 'walkthrough', 'dist', 'node_modules', 'out', 'coverage'];
/** Prompts and design notes of one package. */
const parts = ['packages/agent/src/', 'packages/judge/src/', 'packages/vscode/out/'];
const files = ['packages/vscode/DESIGN.md', 'packages/vscode/CHANGELOG.md'];

/** The patterns that VitePress excludes. */
export const notPages = [...folders.map((name) => `**/${name}/**`), ...parts.map((part) => `${part}**`), ...files];

/** Whether a file of the repository is a page. */
export function isPage(file) {
  return (
    file.endsWith('.md') &&
    !file.split('/').some((segment) => folders.includes(segment)) &&
    !parts.some((part) => file.startsWith(part)) &&
    !files.includes(file)
  );
}

const named = {
  'site/index.md': 'index.md',
  'README.md': 'start.md',
  'AGENTS.md': 'project/map.md',
  'CONTRIBUTING.md': 'project/contributing.md',
  'SECURITY.md': 'project/security.md',
  'CHANGELOG.md': 'project/changelog.md',
  'docs/README.md': 'contents.md',
};
const moved = [
  ['docs/', ''],
  ['site/api/', 'api/'],
  ['packages/core/src/detectors/', 'detectors/'],
  ['packages/core/src/', 'packages/core/'],
  ['packages/formats/src/', 'formats/'],
];

/** The path of a file on the site: `docs/guide.md` is `guide.md`, and a README is the index of its folder. */
export function addressOf(file) {
  if (file in named) return named[file];
  const [from, to] = moved.find(([prefix]) => file.startsWith(prefix)) ?? ['', ''];
  return (to + file.slice(from.length)).replace(/(^|\/)README\.md$/, '$1index.md');
}
