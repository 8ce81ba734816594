/** How many entries of a conversation a judge is shown. */
const mostEntries = 20;

/**
 * The end of a conversation, as a judge can be shown it: its last entries, without calls at the end that have no result
 * yet and without results at the beginning whose calls are cut off. Entries are the ancestors': a role and parts; what
 * else is among them is left as it is.
 */
export function recentHistory(entries: readonly unknown[]): readonly unknown[] {
  const recent = entries.slice(-mostEntries);
  while (recent.length > 0 && consistsOf(recent[recent.length - 1], 'model', 'functionCall')) recent.pop();
  while (recent.length > 0 && consistsOf(recent[0], 'user', 'functionResponse')) recent.shift();
  return recent;
}

/** An entry without parts consists of anything. */
function consistsOf(entry: unknown, role: string, kind: string): boolean {
  const { role: ownRole, parts } = (entry ?? {}) as { role?: unknown; parts?: unknown };
  return ownRole === role && Array.isArray(parts) && parts.every((part) => Boolean(part?.[kind]));
}
