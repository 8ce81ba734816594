/** Something to do with a tool, whatever the tool is called and however it wants to be told. */
export type Deed =
  | { readonly read: string }
  | { readonly shell: string }
  | { readonly write: string; readonly content: string }
  | { readonly search: string };

export type Capability = 'read' | 'shell' | 'write' | 'search';

export function capabilityOf(deed: Deed): Capability {
  if ('read' in deed) return 'read';
  if ('shell' in deed) return 'shell';
  return 'write' in deed ? 'write' : 'search';
}

/** The same deed as a command line, for agents that do everything in a shell. */
export function commandFor(deed: Deed): string {
  if ('shell' in deed) return deed.shell;
  if ('read' in deed) return `cat ${quoted(deed.read)}`;
  if ('write' in deed) return `printf '%s' ${quoted(deed.content)} > ${quoted(deed.write)}`;
  return `grep -rn -e ${quoted(deed.search)} .`;
}

function quoted(word: string): string {
  return /^[\w./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
