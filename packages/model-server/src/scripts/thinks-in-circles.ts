import type { Pace, Script } from '../reply.js';
import { exceptOnTheSide } from './plain-answer.js';

export interface ThinksInCirclesOptions {
  readonly thoughts?: readonly string[];
  readonly times?: number;
  readonly answer?: string;
  readonly pace?: Pace;
}

const doubts = [
  'Perhaps the parser drops the last line. ',
  'But the parser test passes, so it must be the writer. ',
  'The writer only copies what the parser gives it. ',
  'So it has to be the parser after all. ',
];

/** Reasoning that returns to its beginning again and again, then an answer. */
export function thinksInCircles({
  thoughts = doubts,
  times = 40,
  answer = 'I could not find the cause.',
  pace = {},
}: ThinksInCirclesOptions = {}): Script {
  return exceptOnTheSide(() => ({ parts: [{ reasoning: thoughts.join('').repeat(times) }, { text: answer }], pace }));
}
