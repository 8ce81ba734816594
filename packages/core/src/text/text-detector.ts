import { type Detector, type DetectorOptions, defineDetector, type Sighting } from '../detector.js';
import type { Json } from '../event.js';
import type { Channel, Words } from './words.js';

/** A machine that is fed the words of one message. */
export interface TextMachine<State> {
  start(): State;
  /**
   * Reads on from word `k` of the block until there is something to look at, or to the end of the block. Returns the
   * index where it stopped, or its complement (`~k`) if there is something to look at.
   */
  advance(state: State, words: Words, k: number): number;
  /** Whether there could be something to look at before the next block is complete. */
  isUrgent(state: State): boolean;
  /** Resets the state to that of a machine that was never fed. */
  endMessage(state: State): void;
  save(state: State): Json;
  load(saved: Json): State;
}

export interface TextDetectorSpec<State, Evidence extends Json> {
  readonly name: string;
  readonly machine: TextMachine<State>;
  /** A message with no more characters than this never leads to a finding. */
  readonly quiet: number;
  look(state: State, words: Words): Sighting<Evidence> | undefined;
  explain(evidence: Evidence): string;
  options(): DetectorOptions;
}

/** A detector for visible text and reasoning. Each has a machine of its own while a message lasts. */
export function textDetector<State, Evidence extends Json>({
  name,
  machine,
  quiet,
  look,
  explain,
  options,
}: TextDetectorSpec<State, Evidence>): Detector {
  type States = Record<Channel, State | undefined>;

  // States are large, and most sessions are silent at any time. The last two are reset and kept for the next session
  // that needs one.
  const spare: State[] = [];

  function begin(): State {
    return spare.pop() ?? machine.start();
  }

  function end(state: State | undefined): undefined {
    if (state === undefined) return;
    machine.endMessage(state);
    if (spare.length < 2) spare.push(state);
  }

  function read(state: State, words: Words): Sighting<Evidence>[] | undefined {
    let seen: Sighting<Evidence>[] | undefined;
    for (let k = machine.advance(state, words, 0); k < 0; k = machine.advance(state, words, ~k)) {
      const sighting = look(state, words);
      if (sighting) seen = seen ? [...seen, sighting] : [sighting];
    }
    if (machine.isUrgent(state)) words.urgent = true;
    return seen;
  }

  return defineDetector({
    name,
    reads: ['words'],
    quiet,
    start: (): States => ({ text: undefined, reasoning: undefined }),
    observe(states, words) {
      // By name: looking up a field by a variable name costs more than reading a short delta.
      if (words.channel === 'text') {
        states.text = words.over ? end(states.text) : (states.text ?? begin());
        return states.text && read(states.text, words);
      }
      states.reasoning = words.over ? end(states.reasoning) : (states.reasoning ?? begin());
      return states.reasoning && read(states.reasoning, words);
    },
    explain,
    options,
    save: ({ text, reasoning }): Json => ({
      text: text === undefined ? null : machine.save(text),
      reasoning: reasoning === undefined ? null : machine.save(reasoning),
    }),
    load(saved): States {
      const { text, reasoning } = saved as Record<Channel, Json>;
      return {
        text: text === null ? undefined : machine.load(text),
        reasoning: reasoning === null ? undefined : machine.load(reasoning),
      };
    },
  });
}

/** How the explanation of a finding begins. */
export function speaker(channel: Channel): string {
  return channel === 'text' ? 'The message' : 'The reasoning';
}
