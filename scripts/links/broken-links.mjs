import { dirname, join, normalize } from 'node:path/posix';
import { anchorsIn, linksIn } from './markdown.mjs';

/**
 * The links of Markdown files that lead nowhere. `files` are all paths of the repository, `read` gives the text of one.
 * A link may lead to a file, to a folder, or to a heading; links to other hosts are not followed.
 */
export function brokenLinks(files, read) {
  const known = new Set(files);
  const folders = new Set(files.flatMap(foldersOf));
  const anchors = new Map();
  const anchorsOf = (file) => {
    if (!anchors.has(file)) anchors.set(file, anchorsIn(read(file)));
    return anchors.get(file);
  };
  const problemWith = (file, target) => {
    if (target === '') return 'the link is empty';
    if (isElsewhere(target)) return undefined;
    if (target.startsWith('/')) return 'expected a path relative to this file, found an absolute one';
    const address = decoded(target);
    if (address === undefined) return 'the link has a % that begins no character; write %25 for the sign itself';
    const [path, anchor] = address.split('#');
    const to = path === '' ? file : normalize(join(dirname(file), path)).replace(/\/$/, '');
    if (!known.has(to) && !folders.has(to)) return `there is no ${to} in the repository`;
    if (anchor === undefined) return undefined;
    const page = known.has(to) ? to : `${to}/README.md`;
    if (!page.endsWith('.md')) return undefined;
    if (!known.has(page) || !anchorsOf(page).has(anchor)) return `${page} has no heading with the anchor #${anchor}`;
    return undefined;
  };
  return files
    .filter((file) => file.endsWith('.md'))
    .flatMap((file) =>
      linksIn(read(file)).flatMap(({ target, line }) => {
        const problem = problemWith(file, target);
        return problem === undefined ? [] : [{ file, line, target, problem }];
      }),
    );
}

/** Whether a target names another host, or a command of an editor. */
export function isElsewhere(target) {
  return /^[a-z][a-z0-9+.-]*:/i.test(target);
}

function decoded(target) {
  try {
    return decodeURI(target);
  } catch {
    return undefined;
  }
}

function foldersOf(file) {
  const folders = ['.'];
  for (let folder = dirname(file); folder !== '.'; folder = dirname(folder)) folders.push(folder);
  return folders;
}
