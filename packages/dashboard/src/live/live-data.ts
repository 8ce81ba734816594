import type { LiveSession } from '@loopfuse/gateway';

export type { Detail, Live, LiveAction, LiveSession, Mark } from '@loopfuse/gateway';

/** The state of a session, in one word and a class for its colour. */
export function standing({ stopped, disabled, circuit, lastAt }: LiveSession, now: number): readonly [string, string] {
  if (stopped !== '') return ['stopped', 'looping'];
  if (disabled) return ['not watched', 'quiet'];
  if (circuit === 'open') return ['stopped', 'looping'];
  if (circuit === 'probation') return ['steered', 'suspect'];
  return now - lastAt < 60_000 ? ['running', 'clean'] : ['quiet', 'quiet'];
}

/** The session key in the address. Total: an address with an incomplete escape is used as it is. */
export function keyIn(hash: string): string {
  const text = hash.slice(1);
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * The session to show: the chosen one, else the one that is shown already, else the first. The list is ordered by the latest
 * request, so the first one changes while somebody types a hint or points at a button.
 */
export function sessionToShow(
  sessions: readonly LiveSession[],
  chosen: string,
  shown: string,
): LiveSession | undefined {
  const named = (wanted: string) => sessions.find(({ key }) => key === wanted);
  return named(chosen) ?? named(shown) ?? sessions[0];
}

/** "now", "12 s ago", "3 min ago", "5 h ago". */
export function ago(at: number, now: number): string {
  const seconds = Math.max(0, Math.round((now - at) / 1_000));
  if (seconds < 3) return 'now';
  if (seconds < 90) return `${seconds} s ago`;
  return seconds < 5_400 ? `${Math.round(seconds / 60)} min ago` : `${Math.round(seconds / 3_600)} h ago`;
}
