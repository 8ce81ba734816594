import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { addressOf } from './pages.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The navigation of the site. Titles are taken from the pages if none is given. */
export function navigation() {
  const sections = [
    {
      text: 'Start here',
      items: [
        page('README.md', 'What it is'),
        page('docs/guide.md', 'The guide'),
        page('docs/how-an-event-travels.md'),
        page('docs/false-alarms.md', 'Tuning false alarms'),
        page('docs/recovery.md'),
      ],
    },
    { text: 'Concepts', items: pagesIn('docs/concepts') },
    {
      text: 'Guides',
      items: [
        group('Faces', [
          page('docs/gateway.md', 'Gateway and run'),
          page('docs/report.md', 'Scan: the report'),
          page('packages/cli/README.md', 'Command line'),
          page('packages/vscode/README.md', 'VS Code'),
          page('docs/service.md', 'Drop-in service'),
          page('docs/migration.md'),
        ]),
        group('Coding agents', pagesIn('docs/agents')),
        group('SDKs', pagesIn('docs/sdks')),
      ],
    },
    {
      text: 'Reference',
      items: [
        group('API, from the types', apiPages(), true),
        group('Detectors', subfolderPages('packages/core/src/detectors'), true),
        group('Log formats', subfolderPages('packages/formats/src'), true),
        group('Packages', subfolderPages('packages'), true),
      ],
    },
    {
      text: 'Operations',
      items: [
        page('docs/versioning.md'),
        page('docs/capacity.md'),
        page('docs/measurements.md'),
        page('SECURITY.md'),
        page('CHANGELOG.md'),
        page('CONTRIBUTING.md'),
        page('AGENTS.md', 'Map of the repository'),
      ],
    },
    { text: 'Decisions', collapsed: true, items: pagesIn('docs/decisions') },
  ];
  const entry = (text) => firstLink(sections.find((section) => section.text === text).items);
  return {
    nav: ['Start here', 'Concepts', 'Guides', 'Reference', 'Operations', 'Decisions'].map((text) => ({
      text,
      link: entry(text),
    })),
    sidebar: sections,
  };
}

function page(file, text = titleOf(file)) {
  return {
    text,
    link: `/${addressOf(file)
      .replace(/(^|\/)index\.md$/, '$1')
      .replace(/\.md$/, '')}`,
  };
}

function group(text, items, collapsed = false) {
  return { text, collapsed, items };
}

/** The pages of a folder, its README first. */
function pagesIn(folder) {
  const files = readdirSync(join(root, folder)).filter((name) => name.endsWith('.md'));
  const rank = (name) => (name === 'README.md' ? 0 : 1);
  return files.sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1)).map((name) => page(`${folder}/${name}`));
}

/** The READMEs one level below a folder. */
function subfolderPages(folder) {
  return readdirSync(join(root, folder))
    .sort()
    .map((name) => `${folder}/${name}/README.md`)
    .filter((file) => existsSync(join(root, file)))
    .map((file) => page(file));
}

function apiPages() {
  const api = join(root, 'site/api');
  if (!existsSync(api)) return [];
  const files = readdirSync(api, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'));
  const rank = (name) => (name === 'README.md' ? 0 : name === 'loopfuse/README.md' ? 1 : name.startsWith('@') ? 3 : 2);
  return files.sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1)).map((name) => page(`site/api/${name}`));
}

/** The first heading of a page, without backticks and backslashes. */
function titleOf(file) {
  if (!statSync(join(root, file), { throwIfNoEntry: false })) throw new Error(`navigation: there is no page ${file}`);
  const heading = readFileSync(join(root, file), 'utf8')
    .split('\n')
    .find((line) => line.startsWith('# '));
  if (heading === undefined) throw new Error(`navigation: ${file} has no heading that begins with "# "`);
  return heading.slice(2).replaceAll('`', '').replaceAll('\\', '');
}

function firstLink(items) {
  const [{ link, items: inner }] = items;
  return link ?? firstLink(inner);
}
