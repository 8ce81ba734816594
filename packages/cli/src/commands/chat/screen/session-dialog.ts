import type { SessionSummary } from '@loopfuse/agent';
import type { Key } from '../../../terminal/keys/key.js';

/** The question which session to go on with. */
export interface SessionDialog {
  readonly type: 'sessions';
  readonly sessions: readonly SessionSummary[];
  readonly chosen: number;
}

export function pressInSessions(dialog: SessionDialog, key: Key): SessionDialog | SessionSummary | 'leave' {
  const { chosen, sessions } = dialog;
  switch (key.type) {
    case 'escape':
      return 'leave';
    case 'up':
      return { ...dialog, chosen: Math.max(0, chosen - 1) };
    case 'down':
    case 'tab':
      return { ...dialog, chosen: Math.min(sessions.length - 1, chosen + 1) };
    case 'enter':
      return sessions[chosen] ?? 'leave';
    default:
      return dialog;
  }
}
