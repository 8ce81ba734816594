import { type Script, say } from '../reply.js';
import { saw } from '../turn.js';
import { loopsForever } from './loops-forever.js';

export interface RecoversAfterSteerOptions {
  /** What a message to the model, or the result of a refused call, must contain so that the model stops looping. */
  readonly marker?: string | RegExp;
  readonly loop?: Script;
  readonly answer?: string;
}

/** Loops until it is warned, then finishes. */
export function recoversAfterSteer({
  marker = /\bloop/i,
  loop = loopsForever(),
  answer = 'You are right, I was repeating myself. The work is done as far as it can be.',
}: RecoversAfterSteerOptions = {}): Script {
  return (turn) => (saw(turn, marker) ? say(answer) : loop(turn));
}
