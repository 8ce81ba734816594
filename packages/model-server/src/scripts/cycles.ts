import type { Script } from '../reply.js';
import type { Action } from '../tools/action.js';
import { cycle, type LoopOptions } from './loops-forever.js';

/** `length` different calls, over and over. */
export function cycles(length: number, { rounds }: LoopOptions = {}): Script {
  if (!Number.isInteger(length) || length < 1)
    throw new RangeError(`cycles: length must be an integer of at least 1, got ${String(length)}`);
  return cycle(
    Array.from({ length }, (_, nth) => actionOf(nth)),
    rounds,
  );
}

function actionOf(nth: number): Action {
  if (nth % 3 === 0) return { read: nth === 0 ? 'README.md' : `src/part-${nth}.js` };
  return nth % 3 === 1 ? { search: `word${nth}` } : { shell: `ls -d ./* | head -n ${nth}` };
}
