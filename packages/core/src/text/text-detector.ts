import { type Detector, type DetectorOptions, defineDetector, type Sighting } from '../detector.js';
import type { Json } from '../event.js';

/** Where words come from. */
export type Channel = 'text' | 'reasoning';

/** A machine that is fed one message, character by character. */
export interface TextMachine<State> {
  start(): State;
  /**
   * Reads on from character `k` of a delta, as part of event `seq`, until there is something to look at, or to the end.
   * Gives where it stopped; where there is something to look at, the complement of that (`~k`).
   */
  advance(state: State, text: string, k: number, seq: number): number;
  /** Makes the state that of a machine that was never fed. */
  endMessage(state: State): void;
  save(state: State): Json;
  load(saved: Json): State;
}

export interface TextDetectorSpec<State, Evidence extends Json> {
  readonly name: string;
  readonly machine: TextMachine<State>;
  /** A message of no more characters than this shows nothing, whatever they are. */
  readonly quiet: number;
  look(state: State, channel: Channel): Sighting<Evidence> | undefined;
  explain(evidence: Evidence): string;
  options(): DetectorOptions;
}

/** A message while it lasts: the machine that reads it or, while it is too short to show anything, its deltas. */
interface Message<State> {
  machine: State | undefined;
  length: number;
  texts: string[];
  seqs: number[];
}

/** A detector of visible text and reasoning, with a machine for each; whatever else happens ends the message of both. */
export function textDetector<State, Evidence extends Json>({
  name,
  machine,
  quiet,
  look,
  explain,
  options,
}: TextDetectorSpec<State, Evidence>): Detector {
  /** The message of each channel, where one has begun. */
  type States = Record<Channel, Message<State> | undefined>;

  /*
   * Machines are large, and most sessions are silent at any time: while tools run, while a person thinks. So a session
   * has a machine for as long as a message lasts, and only once it is long enough. The last ones, of text and of
   * reasoning, are kept, wiped, for whichever session speaks next.
   */
  const spare: State[] = [];

  function begin(): Message<State> {
    return { machine: undefined, length: 0, texts: [], seqs: [] };
  }

  function end(message: Message<State> | undefined): undefined {
    if (message?.machine === undefined) return;
    machine.endMessage(message.machine);
    if (spare.length < 2) spare.push(message.machine);
  }

  /** The machine of a message, which has read all of it. What it did not read until now shows nothing. */
  function machineOf(message: Message<State>, channel: Channel): State {
    if (message.machine !== undefined) return message.machine;
    const state = spare.pop() ?? machine.start();
    message.texts.forEach((text, k) => {
      read(state, channel, text, message.seqs[k]!);
    });
    message.machine = state;
    message.texts = [];
    message.seqs = [];
    return state;
  }

  function hear(message: Message<State>, channel: Channel, text: string, seq: number) {
    if (message.machine !== undefined) return read(message.machine, channel, text, seq);
    message.length += text.length;
    if (message.length > quiet) return read(machineOf(message, channel), channel, text, seq);
    message.texts.push(text);
    message.seqs.push(seq);
    return undefined;
  }

  function read(state: State, channel: Channel, text: string, seq: number) {
    let seen: Sighting<Evidence>[] | undefined;
    for (let k = 0; k < text.length; ) {
      k = machine.advance(state, text, k, seq);
      if (k >= 0) continue;
      k = ~k;
      const sighting = look(state, channel);
      if (sighting) seen = seen ? [...seen, sighting] : [sighting];
    }
    return seen;
  }

  function load(saved: Json): Message<State> | undefined {
    return saved === null ? undefined : { ...begin(), machine: machine.load(saved) };
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
      // By name: to look a field up by a name that changes costs more than to read a short delta.
      if (event.type === 'text') {
        states.text ??= begin();
        return hear(states.text, 'text', event.text, seq);
      }
      if (event.type === 'reasoning') {
        states.reasoning ??= begin();
        return hear(states.reasoning, 'reasoning', event.text, seq);
      }
      states.text = end(states.text);
      states.reasoning = end(states.reasoning);
      return undefined;
    },
    explain,
    options,
    save: ({ text, reasoning }): Json => ({
      text: text ? machine.save(machineOf(text, 'text')) : null,
      reasoning: reasoning ? machine.save(machineOf(reasoning, 'reasoning')) : null,
    }),
    load(saved): States {
      const { text, reasoning } = saved as Record<Channel, Json>;
      return { text: load(text), reasoning: load(reasoning) };
    },
  });
}

/** What is said about a finding begins so. */
export function speaker(channel: Channel): string {
  return channel === 'text' ? 'The message' : 'The reasoning';
}
