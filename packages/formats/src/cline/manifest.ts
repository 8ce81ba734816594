import { lstatSync, readFileSync } from 'node:fs';
import type { Json } from 'loopfuse';
import type { SessionFacts } from '../format.js';
import { obj, str } from '../translating/json.js';

const maxBytes = 1024 * 1024;

/**
 * What the command line tool notes of a session beside its messages: `<id>.json` of `<id>.messages.json`. Nothing where
 * there is no such file, where it is a link, or where it is being written.
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
