import type { Script } from '../reply.js';
import type { Action } from '../tools/action.js';
import { cycle, type LoopOptions } from './loops-forever.js';

export interface AlternatesOptions extends LoopOptions {
  readonly between?: readonly [Action, Action];
}

/** A B A B …: two calls in turn. */
export function alternates({
  between = [{ read: 'README.md' }, { search: 'main' }],
  rounds,
}: AlternatesOptions = {}): Script {
  return cycle(between, rounds);
}
