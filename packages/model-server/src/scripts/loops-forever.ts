import { type Reply, type Script, say } from '../reply.js';
import type { Action } from '../tools/action.js';
import { callFor } from '../tools/call-for.js';
import type { TurnRequest } from '../turn.js';
import { onlyWithTools } from './plain-answer.js';

export interface LoopOptions {
  /** The number of turns after which the model answers, so that an agent that is not stopped ends. */
  readonly rounds?: number;
}

/** The same call every turn. */
export function loopsForever({
  action = { read: 'README.md' },
  rounds,
}: LoopOptions & { action?: Action } = {}): Script {
  return cycle([action], rounds);
}

/** The same calls over and over, one each turn. */
export function cycle(actions: readonly Action[], rounds = Number.POSITIVE_INFINITY): Script {
  return looping((turn) => ({ parts: [callFor(turn, actions[turn.turn % actions.length]!)] }), rounds);
}

/** Plays `reply` for the first `rounds` turns of the model. */
export function looping(reply: (turn: TurnRequest) => Reply, rounds = Number.POSITIVE_INFINITY): Script {
  return onlyWithTools((turn) => (turn.turn < rounds ? reply(turn) : say('That is as far as I got.')));
}
