/** Something to do with a tool, independent of the names of the tool and of its parameters. */
export type Action =
  | { readonly read: string }
  | { readonly shell: string }
  | { readonly write: string; readonly content: string }
  | { readonly search: string };

export type Capability = 'read' | 'shell' | 'write' | 'search';

export function capabilityOf(action: Action): Capability {
  if ('read' in action) return 'read';
  if ('shell' in action) return 'shell';
  return 'write' in action ? 'write' : 'search';
}

/** The same action as a command line, for agents that do everything in a shell. */
export function commandFor(action: Action): string {
  if ('shell' in action) return action.shell;
  if ('read' in action) return `cat ${quoted(action.read)}`;
  if ('write' in action) return `printf '%s' ${quoted(action.content)} > ${quoted(action.write)}`;
  return `grep -rn -e ${quoted(action.search)} .`;
}

function quoted(word: string): string {
  return /^[\w./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
