import type { Reply, Script } from '../reply.js';
import { plainAnswer } from './plain-answer.js';

/** One reply or script for each request of a conversation in turn, including retries; then `afterwards`. */
export function sequence(
  replies: readonly (Reply | Script)[],
  { afterwards = plainAnswer }: { afterwards?: Script } = {},
): Script {
  return (turn) => {
    const next = replies[turn.asked] ?? afterwards;
    return typeof next === 'function' ? next(turn) : next;
  };
}
