import { type Reply, type Script, say } from '../reply.js';
import { callFor } from '../tools/call-for.js';
import type { Deed } from '../tools/deed.js';
import type { TurnRequest } from '../turn.js';
import { onlyWithTools } from './plain-answer.js';

export interface LoopOptions {
  /** After so many turns the model gives in and answers, so that an agent that nobody stops comes to an end. */
  readonly rounds?: number;
}

/** The same call every turn. */
export function loopsForever({ deed = { read: 'README.md' }, rounds }: LoopOptions & { deed?: Deed } = {}): Script {
  return cycle([deed], rounds);
}

/** The same calls over and over, one each turn. */
export function cycle(deeds: readonly Deed[], rounds = Number.POSITIVE_INFINITY): Script {
  return looping((turn) => ({ parts: [callFor(turn, deeds[turn.turn % deeds.length]!)] }), rounds);
}

/** Plays `reply` for so many turns of the model. */
export function looping(reply: (turn: TurnRequest) => Reply, rounds = Number.POSITIVE_INFINITY): Script {
  return onlyWithTools((turn) => (turn.turn < rounds ? reply(turn) : say('That is as far as I got.')));
}
