import { lstatSync, readFileSync } from 'node:fs';
import type { Json } from 'loopfuse';
import type { SessionFacts } from '../format.js';
import { obj, str } from '../translating/json.js';

const maxBytes = 1024 * 1024;

/**
 * The facts that the command line tool writes about a session: `<id>.json` in the folder of `<id>.messages.json`. Empty
 * if there is no such file, if it is a link, or if it is only half written.
 */
export function manifestBeside(file: string): SessionFacts {
  const manifest = file.replace(/\.messages\.json$/, '.json');
  if (manifest === file) return {};
  try {
    const stats = lstatSync(manifest);
    if (!stats.isFile() || stats.size > maxBytes) return {};
    const { cwd, workspace_root: root, metadata } = obj(JSON.parse(readFileSync(manifest, 'utf8')) as Json);
    return { project: str(cwd) ?? str(root), title: str(obj(metadata).title) };
  } catch {
    return {};
  }
}
