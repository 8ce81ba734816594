import type { Script } from '../reply.js';
import { callFor } from '../tools/call-for.js';
import { type LoopOptions, looping } from './loops-forever.js';

/** A different guess every turn, and every guess fails in the same way: files that do not exist. */
export function sameError({ rounds }: LoopOptions = {}): Script {
  return looping((turn) => ({ parts: [callFor(turn, { read: `missing-${turn.turn + 1}.txt` })] }), rounds);
}
