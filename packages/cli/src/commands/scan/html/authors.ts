import type { RecordedSession } from '@loopfuse/formats';

/**
 * The user in whose home folder each session was found, if there are several users. Otherwise `undefined` for all: a report
 * about one user does not need the name.
 */
export function authorsOf(
  sessions: readonly Pick<RecordedSession, 'file' | 'project'>[],
): readonly (string | undefined)[] {
  const authors = sessions.map(({ file, project }) => authorIn(file) ?? authorIn(project ?? ''));
  return new Set(authors.filter((one) => one !== undefined)).size > 1 ? authors : sessions.map(() => undefined);
}

/** The name after "home" or "Users" in a path, also in copied logs such as `logs/home/ada/.codex/…`. */
function authorIn(path: string): string | undefined {
  const parts = path.split(/[/\\]/);
  const at = parts.findIndex((part, k) => (part === 'home' || part === 'Users') && k + 2 < parts.length);
  return at < 0 ? undefined : parts[at + 1] || undefined;
}
