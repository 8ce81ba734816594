import type { Reply, Script } from '../reply.js';
import { plainAnswer } from './plain-answer.js';

/** One reply, or one script, for each request of a conversation in turn, retries included; then the last word. */
export function sequence(
  replies: readonly (Reply | Script)[],
  { afterwards = plainAnswer }: { afterwards?: Script } = {},
): Script {
  return (turn) => {
    const next = replies[turn.asked] ?? afterwards;
    return typeof next === 'function' ? next(turn) : next;
  };
}
