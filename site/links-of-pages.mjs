import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path/posix';
import { isElsewhere } from '../scripts/links/broken-links.mjs';
import { addressOf } from './pages.mjs';

/**
 * A plugin for markdown-it. Files link to each other by their paths in the repository, so that the links work there, too; on the
 * site these links lead to the pages of the files. A link to a folder leads to its README. A link to something that is not a page
 * (a source, a folder without a README) becomes plain text. A link to a missing file is left alone, and fails the build.
 */
export function linksOfPages(markdown, { root, isPage }) {
  markdown.core.ruler.push('links-of-pages', ({ tokens, env }) => {
    const file = normalize((env.realPath ?? env.path).slice(root.length));
    for (const { children } of tokens) if (children) for (const link of linkTokens(children)) moveLink(link, file);
  });

  function moveLink({ open, close }, file) {
    const [path, anchor] = decodeURI(open.attrGet('href')).split('#');
    if (path === '') return;
    const target = join(dirname(file), path).replace(/\/$/, '');
    const page = existsSync(join(root, target, 'README.md')) ? join(target, 'README.md') : target;
    if (isPage(page)) {
      const address = addressOf(page)
        .replace(/(^|\/)index\.md$/, '$1')
        .replace(/\.md$/, '');
      open.attrSet('href', `/${address}${anchor === undefined ? '' : `#${anchor}`}`);
    } else if (existsSync(join(root, target))) {
      for (const token of [open, close]) Object.assign(token, { type: 'text', tag: '', content: '', attrs: null });
    }
  }
}

/** The pairs of tokens that are links to files. */
function* linkTokens(tokens) {
  let open;
  for (const token of tokens) {
    if (token.type === 'link_open') open = token;
    if (token.type !== 'link_close' || open === undefined) continue;
    const href = open.attrGet('href') ?? '';
    if (!isElsewhere(href) && !href.startsWith('/')) yield { open, close: token };
    open = undefined;
  }
}

/** A plugin for markdown-it. Inline code that is the name of an export of the core becomes a link to its reference entry. */
export function linksToReference(markdown, { apiFolder, isLinked }) {
  const places = exportedNames(apiFolder);
  const plain = markdown.renderer.rules.code_inline;
  markdown.renderer.rules.code_inline = (tokens, index, options, env, self) => {
    const rendered = plain(tokens, index, options, env, self);
    const place = places.get(tokens[index].content.replace(/\(\)$/, ''));
    const inLink = tokens[index - 1]?.type === 'link_open';
    if (place === undefined || inLink || !isLinked(env)) return rendered;
    return `<a href="${place}">${rendered}</a>`;
  };
}

/** The headings of the reference pages of the core: `createGuard` → `/api/loopfuse.html#createguard`. */
function exportedNames(apiFolder) {
  const places = new Map();
  for (const page of corePages(apiFolder)) {
    for (const line of readFileSync(join(apiFolder, page), 'utf8').split('\n')) {
      if (!line.startsWith('### ')) continue;
      const symbol = line.slice(4).replace(/\(\)$/, '').replaceAll('\\', '');
      const address = page.replace(/README\.md$/, '').replace(/\.md$/, '.html');
      if (!places.has(symbol)) places.set(symbol, `/api/${address}#${symbol.toLowerCase()}`);
    }
  }
  return places;
}

/** The pages of the entry points of the core, the main one first. It is beside the folder of the others, or in it if it has namespaces. */
function corePages(apiFolder) {
  const inFolder = existsSync(join(apiFolder, 'loopfuse')) ? readdirSync(join(apiFolder, 'loopfuse')).sort() : [];
  return ['loopfuse.md', ...inFolder.map((name) => `loopfuse/${name}`)].filter(
    (page) => existsSync(join(apiFolder, page)) && statSync(join(apiFolder, page)).isFile(),
  );
}
