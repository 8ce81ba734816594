import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Application, ReflectionKind } from 'typedoc';
import { anchorsIn } from '../scripts/links/markdown.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
/** The folder of the reference pages. Every build writes them; they are not part of the repository. */
export const apiFolder = join(root, 'site/api');

/** Not libraries: a command, and the page of a report. */
const withoutReference = new Set(['@loopfuse/cli', '@loopfuse/dashboard']);
/** The packages that are listed first; the others follow by name. */
const first = ['loopfuse', '@loopfuse/session', '@loopfuse/judge', '@loopfuse/testkit'];

/**
 * Writes the API reference: a page for each entry point of each published package of the workspace, from the types and
 * comments of its sources. Throws if TypeDoc finds an error, for example a `{@link}` without a target.
 */
export async function writeApiReference() {
  rmSync(apiFolder, { recursive: true, force: true });
  const entries = entryPoints();
  const application = await Application.bootstrapWithPlugins({
    plugin: ['typedoc-plugin-markdown'],
    entryPoints: entries.map(({ source }) => source),
    tsconfig: join(root, 'site/tsconfig.json'),
    name: 'API reference',
    readme: 'none',
    out: apiFolder,
    excludePrivate: true,
    excludeInternal: true,
    excludeExternals: true,
    disableSources: true,
    disableGit: true,
    githubPages: false,
    sort: ['kind', 'source-order'],
    // Types that are used and not exported show as plain text, which is right for what a caller never names.
    validation: { notExported: false, invalidLink: true, notDocumented: false },
    treatWarningsAsErrors: true,
    logLevel: 'Warn',
    outputFileStrategy: 'modules',
    hidePageHeader: true,
    hideBreadcrumbs: true,
    useCodeBlocks: true,
    expandObjects: true,
    parametersFormat: 'table',
    interfacePropertiesFormat: 'table',
    typeAliasPropertiesFormat: 'table',
    classPropertiesFormat: 'table',
    enumMembersFormat: 'table',
    propertyMembersFormat: 'table',
    typeDeclarationFormat: 'table',
    sanitizeComments: true,
  });
  const project = await application.convert();
  if (project === undefined) throw new Error('The API reference could not be made: see the errors above.');
  for (const module of project.children ?? []) {
    const entry = entries.find(({ source }) => moduleName(source) === module.name);
    if (entry === undefined) throw new Error(`The API reference has a module that no package exports: ${module.name}`);
    module.name = entry.name;
  }
  for (const parameter of project.getReflectionsByKind(ReflectionKind.Parameter))
    if (parameter.name === '__namedParameters') parameter.name = 'options';
  await application.generateOutputs(project);
  if (application.logger.hasErrors() || application.logger.hasWarnings())
    throw new Error('The API reference has errors or warnings: see above.');
  mendAnchors();
  return entries.map(({ name }) => name);
}

/**
 * Corrects links to headings. TypeDoc takes a type and a member with the same letters (`GuardSnapshot`, and `snapshot` of `Guard`)
 * for two equal headings and links to the second as `#guardsnapshot-1`. On the page only the type is a heading, without a number.
 */
function mendAnchors() {
  const files = readdirSync(apiFolder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'));
  const texts = new Map(files.map((name) => [join(apiFolder, name), readFileSync(join(apiFolder, name), 'utf8')]));
  const anchors = new Map([...texts].map(([file, text]) => [file, anchorsIn(text)]));
  for (const [file, text] of texts) {
    const mended = text.replace(/\]\(([^()#\s]*)#([\w-]+)-\d+\)/g, (link, page, anchor) => {
      const target = page === '' ? file : join(dirname(file), page);
      const whole = link.slice(link.indexOf('#') + 1, -1);
      const known = anchors.get(target);
      return known?.has(anchor) && !known.has(whole) ? `](${page}#${anchor})` : link;
    });
    if (mended !== text) writeFileSync(file, mended);
  }
}

/** TypeDoc's name for the module of a source, before it gets its import name. */
function moduleName(source) {
  return relative(join(root, 'packages'), source).replace(/(\/index)?\.ts$/, '');
}

/** The sources of what the published packages export: `{ name: 'loopfuse/presets', source: '/…/index.ts' }`. */
function entryPoints() {
  const folders = readdirSync(join(root, 'packages'));
  const adapters = readdirSync(join(root, 'packages/adapters')).map((name) => join('adapters', name));
  const packages = [...folders, ...adapters].filter((name) => existsSync(join(root, 'packages', name, 'package.json')));
  const entries = packages.flatMap((folder) => {
    const manifest = JSON.parse(readFileSync(join(root, 'packages', folder, 'package.json'), 'utf8'));
    if (manifest.private || withoutReference.has(manifest.name)) return [];
    return Object.entries(manifest.exports).flatMap(([path, { 'loopfuse-source': source }]) =>
      source?.endsWith('.ts')
        ? [{ name: join(manifest.name, path), source: join(root, 'packages', folder, source) }]
        : [],
    );
  });
  const rank = ({ name }) => {
    const place = first.findIndex((each) => name === each || name.startsWith(`${each}/`));
    return place < 0 ? first.length : place;
  };
  return entries.sort((a, b) => rank(a) - rank(b) || (a.name < b.name ? -1 : 1));
}
