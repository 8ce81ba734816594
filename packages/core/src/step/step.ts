import type { Sketch } from '../value/sketch.js';

/** What a call does to the world, as far as its name, its input and the per-tool rules tell. */
export type Effect =
  | 'read' // looks and changes nothing
  | 'write' // changes something when it succeeds
  | 'run' // runs something (tests, builds, scripts, unknown tools): its result tells
  | 'act' // one step of many in a place it moves about in (a click, a key, a move): doing it again is doing more
  | 'poll' // waits for something that goes on elsewhere
  | 'note'; // thinking aloud, plans, to-do lists: neither evidence nor progress, unless the same comes at once again

/**
 * One tool call joined with its result, normalised once for all detectors. Fingerprints are 32-bit hashes: equal
 * fingerprints mean equal up to what does not matter (key order, cosmetic and volatile fields, counters, wall times).
 */
export interface Step {
  readonly type: 'step';
  /** Index of the event that completed it: the result, or the call itself where no result was seen. */
  readonly seq: number;
  /** Index of the call. */
  readonly callSeq: number;
  readonly tool: string;
  readonly effect: Effect;
  /** Whether it went through a shell, where the same words are typed for good reasons (`git add`, `npm test`). */
  readonly shell: boolean;
  /** Fingerprint of tool and normalised input. */
  readonly call: number;
  /** The same for calls that differ in numbers alone, long ids aside. */
  readonly skeleton: number;
  /** Of the words of the input: alike for calls that say nearly the same (see `value/sketch.ts`). */
  readonly sketch: Sketch;
  /** Fingerprint of the path or address it is about; 0 where it names none. */
  readonly target: number;
  /** Failed when the host says so or the output reads as an error; unseen when no result came. */
  readonly status: 'ok' | 'failed' | 'unseen';
  /** Fingerprint of the normalised result; 0 when unseen. */
  readonly outcome: number;
  /** Fingerprint of the result as it stands; 0 when unseen. */
  readonly exact: number;
  /** Of the words of the result in pairs, numbers and the words of the call apart; and of its numbers. */
  readonly said: Sketch;
  readonly numbers: Sketch;
  /** How many letters the result has. */
  readonly letters: number;
  /** A result that proves nothing by itself: empty, `[]`, "updated successfully". */
  readonly trivial: boolean;
  /** Size of the result in characters. */
  readonly size: number;
  /** The core of the error, for failed steps. */
  readonly error: StepError | undefined;
  /** A person said no to it, or the host never ran it: neither is an outcome. */
  readonly refused: boolean;
  /** Whether the step succeeded in changing something. */
  readonly mutated: boolean;
  /** The model said nothing between the call before and this one, though it mostly does: they may be one request. */
  readonly batched: boolean;
  /** Fingerprint of what the model said or thought right before it called; 0 where that was little or nothing. */
  readonly thought: number;
  /** How many characters of text, up to a thousand, the model wrote for the user right before it called. */
  readonly remark: number;
  /** The most telling text of the input, for people. */
  readonly label: string;
  /** The tool's rule on how many equal rounds make a loop, where there is one. */
  readonly times: number | undefined;
}

/** The tool of a step that is a message of the model with the answer to it; its call is 0 where the message is not known. */
export const messageTool = 'message';

/** The tool of a step that is told in words and carried out by a host that shows in the next prompt what came of it. */
export const actionTool = 'action';

export interface StepError {
  /** The line that carries the error, masked, in at most 160 characters. */
  readonly core: string;
  /** Fingerprint of that line with numbers masked. */
  readonly line: number;
  /** Says that something failed and nothing about what. */
  readonly bare: boolean;
  /** A failure of the surroundings (429, 5xx, time-outs, dropped connections), not of the agent. */
  readonly infrastructure: boolean;
}
