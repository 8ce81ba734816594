import { type Script, say } from '../reply.js';
import { callFor } from '../tools/call-for.js';
import { onlyWithTools } from './plain-answer.js';

export interface PollsOptions {
  /** The number of calls until it is ready. */
  readonly times?: number;
  readonly command?: string;
}

/** Waits for something that runs elsewhere: the same call until it is ready. */
export function polls({
  times = 8,
  command = 'sleep 0.2; cat build.status 2>/dev/null || echo pending',
}: PollsOptions = {}): Script {
  return onlyWithTools((turn) =>
    turn.turn < times ? { parts: [callFor(turn, { shell: command })] } : say('The build has finished.'),
  );
}
