import { type Script, say } from '../reply.js';
import { callFor } from '../tools/call-for.js';
import { onlyWithTools } from './plain-answer.js';

export interface PollsOptions {
  /** How often it looks before what it waits for is ready. */
  readonly times?: number;
  readonly command?: string;
}

/** Waits for something that goes on elsewhere: the same call, patiently, until it is done. */
export function polls({
  times = 8,
  command = 'sleep 0.2; cat build.status 2>/dev/null || echo pending',
}: PollsOptions = {}): Script {
  return onlyWithTools((turn) =>
    turn.turn < times ? { parts: [callFor(turn, { shell: command })] } : say('The build has finished.'),
  );
}
