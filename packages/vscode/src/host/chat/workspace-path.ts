import { realpathSync } from 'node:fs';
import { isAbsolute, relative, resolve, sep } from 'node:path';

/**
 * The file that a path from the page names, if it exists and is in the workspace after links are resolved. A number after the
 * path is a line, counted from 1, as in `src/main.ts:12`.
 */
export function workspacePath(root: string, path: string): { file: string; line?: number } | undefined {
  const whole = inside(root, path);
  if (whole !== undefined) return { file: whole };
  const [, bare = '', line = ''] = /^(.+?):(\d{1,7})(?::\d+)?$/.exec(path) ?? [];
  const file = bare === '' ? undefined : inside(root, bare);
  return file === undefined ? undefined : { file, line: Number(line) };
}

function inside(root: string, path: string): string | undefined {
  try {
    const base = realpathSync(root);
    const file = realpathSync(resolve(base, path));
    const way = relative(base, file);
    return way === '' || way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way) ? undefined : file;
  } catch {
    return undefined; // not there, or not a path at all
  }
}
