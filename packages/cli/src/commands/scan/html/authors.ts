import type { RecordedSession } from '@loopfuse/formats';

/**
 * Whose home folder each session was found in, where they come from more than one; undefined for all where they do not:
 * a report about oneself need not say one's name.
 */
export function authorsOf(
  sessions: readonly Pick<RecordedSession, 'file' | 'project'>[],
): readonly (string | undefined)[] {
  const authors = sessions.map(({ file, project }) => authorIn(file) ?? authorIn(project ?? ''));
  return new Set(authors.filter((one) => one !== undefined)).size > 1 ? authors : sessions.map(() => undefined);
}

/** The name behind "home" or "Users" in a path; logs that were gathered keep it, as in `logs/home/ada/.codex/…`. */
function authorIn(path: string): string | undefined {
  const parts = path.split(/[/\\]/);
  const at = parts.findIndex((part, k) => (part === 'home' || part === 'Users') && k + 2 < parts.length);
  return at < 0 ? undefined : parts[at + 1] || undefined;
}
