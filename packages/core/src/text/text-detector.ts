import { type Detector, type DetectorOptions, defineDetector, type Sighting } from '../detector.js';
import type { Json } from '../event.js';

/** Where words come from. */
export type Channel = 'text' | 'reasoning';

/** A machine that is fed one message, character by character. */
export interface TextMachine<State> {
  start(): State;
  /** Reads on from character `k` until there is something to look at, or to the end; gives where it stopped. */
  advance(state: State, text: string, k: number, seq: number): number;
  /** Whether there is something to look at. */
  isDue(state: State): boolean;
  /** Makes the state that of a machine that was never fed. */
  endMessage(state: State): void;
  save(state: State): Json;
  load(saved: Json): State;
}

export interface TextDetectorSpec<State, Evidence extends Json> {
  readonly name: string;
  readonly machine: TextMachine<State>;
  look(state: State, channel: Channel): Sighting<Evidence> | undefined;
  explain(evidence: Evidence): string;
  options(): DetectorOptions;
}

/** A detector of visible text and reasoning, with a machine for each; whatever else happens ends the message of both. */
export function textDetector<State, Evidence extends Json>({
  name,
  machine,
  look,
  explain,
  options,
}: TextDetectorSpec<State, Evidence>): Detector {
  /** A machine for each channel whose message is not over. */
  type States = Record<Channel, State | undefined>;

  /*
   * Machines are large, and most sessions are silent at any time: while tools run, while a person thinks. So a session
   * has a machine for as long as a message lasts. The last one is kept, wiped, for whichever session speaks next.
   */
  let spare: State | undefined;

  function begin(): State {
    const state = spare ?? machine.start();
    spare = undefined;
    return state;
  }

  function end(state: State | undefined): undefined {
    if (state === undefined) return;
    machine.endMessage(state);
    spare = state;
  }

  function read(state: State, channel: Channel, text: string, seq: number) {
    let seen: Sighting<Evidence>[] | undefined;
    for (let k = 0; k < text.length; ) {
      k = machine.advance(state, text, k, seq);
      if (!machine.isDue(state)) continue;
      const sighting = look(state, channel);
      if (sighting) seen = seen ? [...seen, sighting] : [sighting];
    }
    return seen;
  }

  return defineDetector({
    name,
    reads: [
      'text',
      'reasoning',
      'prompt',
      'turn-start',
      'turn-end',
      'tool-call',
      'tool-result',
      'retry',
      'steer',
      'compaction',
    ],
    start: (): States => ({ text: undefined, reasoning: undefined }),
    observe(states, event, seq) {
      if (event.type === 'text' || event.type === 'reasoning') {
        const channel = event.type;
        states[channel] ??= begin();
        return read(states[channel], channel, event.text, seq);
      }
      states.text = end(states.text);
      states.reasoning = end(states.reasoning);
      return undefined;
    },
    explain,
    options,
    save: ({ text, reasoning }): Json => ({
      text: text ? machine.save(text) : null,
      reasoning: reasoning ? machine.save(reasoning) : null,
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

/** What is said about a finding begins so. */
export function speaker(channel: Channel): string {
  return channel === 'text' ? 'The message' : 'The reasoning';
}
