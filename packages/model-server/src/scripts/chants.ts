import type { Pace, Script } from '../reply.js';
import { exceptOnTheSide } from './plain-answer.js';

export interface ChantsOptions {
  readonly sentence?: string;
  readonly times?: number;
  readonly pace?: Pace;
}

/** One sentence, over and over, in one answer. */
export function chants({
  sentence = 'I will now check the configuration once more to be sure. ',
  times = 120,
  pace = {},
}: ChantsOptions = {}): Script {
  return exceptOnTheSide(() => ({ parts: [{ text: sentence.repeat(times) }], pace }));
}
