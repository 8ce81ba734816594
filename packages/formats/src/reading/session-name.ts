import { basename, dirname, resolve } from 'node:path';

/** File names that are the same for every session of an agent: then the folder's name is used. */
const shared =
  /^(api_conversation_history|ui_messages|claude_messages|events|trajectory|messages|session|history|chat|wire|context|log)$/i;

const ending = /\.(?:gz|jsonl|json|ndjson|traj|md|db|log|txt)$/i;

/** An id for a session whose log has none: the file's name without its extensions, or the name of its folder. */
export function sessionNameOf(file: string): string {
  let stem = basename(file);
  while (ending.test(stem)) stem = stem.slice(0, stem.lastIndexOf('.'));
  if (stem !== '' && !shared.test(stem)) return stem;
  return basename(dirname(resolve(file))) || stem || 'session';
}
