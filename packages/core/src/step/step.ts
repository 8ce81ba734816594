import type { Sketch } from '../value/sketch.js';

/** What a call does, told by its name, its input, the per-tool rules and sometimes its result. */
export type Effect =
  | 'read' // looks and changes nothing
  | 'write' // changes something when it succeeds
  | 'run' // runs something (tests, builds, scripts, unknown tools): only its result tells what it did
  | 'act' // a move in some place (a click, a key, a step): to do it again is to do more
  | 'poll' // waits for something that goes on elsewhere
  | 'note'; // thinking aloud, plans, to-do lists: neither evidence nor progress, unless the same comes again at once

/**
 * One tool call joined with its result, normalised once for all detectors. Fingerprints are 32-bit hashes. Equal
 * fingerprints mean equal apart from what does not matter (key order, cosmetic and volatile fields, counters, wall
 * times).
 */
export interface Step {
  readonly type: 'step';
  /** Index of the event that completed it: the result, or the call itself where no result was seen. */
  readonly seq: number;
  /** Index of the call. */
  readonly callSeq: number;
  readonly tool: string;
  readonly effect: Effect;
  /** Whether it ran in a shell, where the same words are often repeated for good reasons (`git add`, `npm test`). */
  readonly shell: boolean;
  /** Fingerprint of tool and normalised input. */
  readonly call: number;
  /** Like `call`, but also equal for calls that differ only in numbers; long ids still count. */
  readonly skeleton: number;
  /** Sketch of the words of the input: similar for calls that say nearly the same (see `value/sketch.ts`). */
  readonly sketch: Sketch;
  /** Fingerprint of the path or address it is about; 0 where it names none. */
  readonly target: number;
  /** Failed when the host says so or the output reads as an error; unseen when no result came. */
  readonly status: 'ok' | 'failed' | 'unseen';
  /** Fingerprint of the normalised result; 0 when unseen. */
  readonly outcome: number;
  /** Fingerprint of the result with nothing masked; 0 when unseen. */
  readonly exact: number;
  /** Sketches of the result: of its word pairs (numbers and words of the call masked), and of its numbers. */
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
  /** Declined by the user, or never run by the host. Neither is an outcome. */
  readonly refused: boolean;
  /** Whether the step succeeded in changing something. */
  readonly mutated: boolean;
  /** The model said nothing between the last call and this one, though it usually does: they may be one request. */
  readonly batched: boolean;
  /** Fingerprint of what the model said or thought right before the call; 0 when that was little or nothing. */
  readonly thought: number;
  /** How many characters of text, up to a thousand, the model wrote for the user right before the call. */
  readonly remark: number;
  /** The most informative text of the input, for people to read. */
  readonly label: string;
  /** The tool's rule on how many equal rounds make a loop, where there is one. */
  readonly times: number | undefined;
}

/** Tool name of a step that is a message of the model with the answer to it; `call` is 0 when it is unknown. */
export const messageTool = 'message';

/** Tool name of an action that the model writes as text; the host runs it and shows the result in the next prompt. */
export const actionTool = 'action';

export interface StepError {
  /** The line that carries the error, masked, in at most 160 characters. */
  readonly core: string;
  /** Fingerprint of that line with numbers masked. */
  readonly line: number;
  /** It says that something failed, but not what. */
  readonly bare: boolean;
  /** A failure of the infrastructure (429, 5xx, time-outs, dropped connections), not of the agent. */
  readonly infrastructure: boolean;
}
