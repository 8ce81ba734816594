/** How many entries of a conversation the judge gets. */
const mostEntries = 20;

/**
 * The end of a conversation, for the judge: its last entries, without calls at the end that have no result yet and
 * without results at the beginning whose calls are cut off. Entries have the ancestors' form, a role and parts; entries
 * of any other form are left as they are.
 */
export function recentHistory(entries: readonly unknown[]): readonly unknown[] {
  const recent = entries.slice(-mostEntries);
  while (recent.length > 0 && consistsOf(recent[recent.length - 1], 'model', 'functionCall')) recent.pop();
  while (recent.length > 0 && consistsOf(recent[0], 'user', 'functionResponse')) recent.shift();
  return recent;
}

/** Whether all parts of an entry are of this kind. True for an empty list of parts. */
function consistsOf(entry: unknown, role: string, kind: string): boolean {
  const { role: ownRole, parts } = (entry ?? {}) as { role?: unknown; parts?: unknown };
  return ownRole === role && Array.isArray(parts) && parts.every((part) => Boolean(part?.[kind]));
}
