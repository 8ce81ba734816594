import {
  alternates,
  callFor,
  chants,
  innocent,
  loopsForever,
  recoversAfterSteer,
  type Script,
  say,
} from '@loopfuse/model-server';

/** The behaviour of the model in one law. */
export interface Scene {
  readonly name: string;
  readonly script: Script;
  /** Whether a guarded run is stopped, gets a message and continues, or is not changed. */
  readonly ends: 'stopped' | 'steered' | 'untouched';
}

/** The number of turns after which a model that is not stopped answers, so that a failing law ends. */
const rounds = 40;

/** The five agents that every adapter is run with, and one that sends its calls in threes. */
export const scenes = {
  looping: { name: 'looping', script: loopsForever({ rounds }), ends: 'stopped' },
  alternating: { name: 'alternating', script: alternates({ rounds }), ends: 'stopped' },
  chanting: { name: 'chanting', script: chants({ times: 60 }), ends: 'stopped' },
  listening: {
    name: 'listening',
    script: recoversAfterSteer({ marker: '[Loop guard]', loop: loopsForever({ rounds }) }),
    ends: 'steered',
  },
  innocent: { name: 'innocent', script: innocent(), ends: 'untouched' },
  parallel: { name: 'calling in threes', script: inThrees(), ends: 'stopped' },
} as const satisfies { readonly [name: string]: Scene };

/** The same three calls in every turn. */
function inThrees(): Script {
  return (turn) =>
    turn.turn >= rounds || turn.tools.length === 0
      ? say('That is as far as I got.')
      : {
          parts: [
            callFor(turn, { read: 'README.md' }),
            callFor(turn, { search: 'main' }),
            callFor(turn, { read: 'package.json' }),
          ],
        };
}
