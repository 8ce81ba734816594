import { type Script, say } from '../reply.js';
import type { Action } from '../tools/action.js';
import { callFor } from '../tools/call-for.js';
import { saw } from '../turn.js';
import { onlyWithTools } from './plain-answer.js';

export interface RepeatsItsContextOptions {
  readonly action?: Action;
  readonly answer?: string;
}

/**
 * Repetition causes repetition: if the same call is in its context twice or more, it makes the call again, whatever the
 * messages say. If there is no repeated call and the model was warned of a loop, it answers.
 */
export function repeatsItsContext({
  action = { read: 'README.md' },
  answer = 'The file does not say. I stop here.',
}: RepeatsItsContextOptions = {}): Script {
  return onlyWithTools((turn) => {
    const calls = turn.messages.flatMap((message) =>
      message.calls.map(({ tool, input }) => JSON.stringify([tool, input])),
    );
    const repeats = calls.length > new Set(calls).size;
    return !repeats && saw(turn, /\bloop/i) ? say(answer) : { parts: [callFor(turn, action)] };
  });
}
