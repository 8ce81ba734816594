import type { EventOf, Json } from '../event.js';
import { emptySketch } from '../value/sketch.js';
import { cue } from './cues.js';
import { withoutEcho } from './echo.js';
import { effectOf } from './effect.js';
import { mayFail, readError, refusedByPerson } from './error.js';
import { type Identity, identify } from './identity.js';
import { isWaiting, outcomeOf, textOf } from './outcome.js';
import { isPicturePrompt } from './prompts.js';
import { withoutScrollback } from './scrollback.js';
import { actionTool, messageTool, type Step } from './step.js';
import { type Surroundings, withoutSurroundings } from './surroundings.js';
import { actionIn } from './told-action.js';

/** A call under way: the step it will be, as far as it is known. */
export type Pending = Writable<Step> & {
  id: string;
  /** Hashes of the words of the input, by which their echo in the result is recognised. */
  words: number[];
  hidden: boolean;
  /** Whether its step was already reported, without a result, when the call was made. */
  shown: boolean;
  /** Whether a later call already has its result: then the result of this one is not expected any more. */
  passed: boolean;
  /** The request counter. It grows when the model speaks before a call: calls of one request mostly share it. */
  request: number;
  /** Whether it takes a picture. */
  picture: boolean;
  /** Whether its input is cut short, so that the rest of it is unknown. */
  cut: boolean;
};

type Writable<Type> = { -readonly [Key in keyof Type]: Type[Key] };

/**
 * A call under way, as far as its identity tells. One literal with all fields, because a step made of spreads costs
 * thirty times as much to make and to read.
 */
export function pendingStep(seq: number, id: string, tool: string, asked: Identity): Pending {
  return {
    type: 'step',
    seq,
    callSeq: seq,
    id,
    tool,
    effect: 'run',
    shell: false,
    call: asked.call,
    skeleton: asked.skeleton,
    sketch: asked.sketch,
    target: asked.target,
    status: 'unseen',
    outcome: 0,
    exact: 0,
    said: emptySketch,
    numbers: emptySketch,
    letters: 0,
    trivial: false,
    size: 0,
    error: undefined,
    refused: false,
    mutated: false,
    batched: false,
    thought: 0,
    remark: 0,
    label: asked.gist,
    times: undefined,
    words: asked.words,
    hidden: false,
    shown: false,
    passed: false,
    request: 0,
    picture: false,
    cut: asked.cut,
  };
}

/** A copy of a call that was already reported without a result, kept in case its result comes after all. */
export function shownStep(step: Pending, asked: Identity): Pending {
  const twin = pendingStep(step.seq, step.id, step.tool, asked);
  twin.call = step.call;
  twin.skeleton = step.skeleton;
  twin.target = step.target;
  twin.effect = step.effect;
  twin.shell = step.shell;
  twin.batched = step.batched;
  twin.thought = step.thought;
  twin.remark = step.remark;
  twin.times = step.times;
  twin.hidden = step.hidden;
  twin.request = step.request;
  twin.picture = step.picture;
  twin.shown = true;
  return twin;
}

/** An answered call without its result, as plain data; `loadedCall` makes a call of it again. */
export function savedCall({
  callSeq,
  tool,
  effect,
  shell,
  call,
  skeleton,
  sketch,
  target,
  label,
  words,
  ...rest
}: Pending) {
  const { batched, thought, times = null, picture, cut } = rest;
  return {
    ...{ callSeq, tool, effect, shell, call, skeleton, sketch, target, label, words },
    ...{ batched, thought, times, picture, cut },
  };
}

export function loadedCall({ times, label: gist, ...saved }: ReturnType<typeof savedCall>): Pending {
  const call = pendingStep(saved.callSeq, '', saved.tool, { ...saved, gist });
  return { ...call, ...saved, times: times ?? undefined };
}

/** A second step for an answered call, with what the host shows after the result as its result. */
export function seenAfter(call: Pending, shown: string, seq: number, around: Surroundings): Step {
  return answered({ ...call }, { type: 'tool-result', id: '', output: shown }, seq, around);
}

/** The step of a message that was answered: by a result without a call, or by a harness. */
export function messageStep(
  message: string,
  output: Json,
  failed: boolean | undefined,
  seq: number,
  around: Surroundings,
): Step {
  const step = pendingStep(seq, '', messageTool, identify(messageTool, message, undefined));
  step.target = 0;
  if (message === '') step.call = step.skeleton = 0;
  return answered(
    step,
    { type: 'tool-result', id: '', output, ...(failed === undefined ? {} : { failed }) },
    seq,
    around,
  );
}

/** The step of a message that asks for an action in words, with the prompt that shows what came of it as its result. */
export function shownPromptStep(message: string, shown: string, seq: number, around: Surroundings): Step {
  const { tool, input } = actionIn(message);
  const step = pendingStep(seq, '', tool, identify(tool, input, undefined));
  const effect = effectOf(tool, input);
  step.effect = tool !== actionTool || effect === 'act' ? effect : 'run';
  step.picture = isPicturePrompt(shown);
  return answered(step, { type: 'tool-result', id: '', output: shown }, seq, around);
}

/** Completes the step of a call with its result. */
export function answered(
  step: Pending,
  { output, failed }: EventOf<'tool-result'>,
  seq: number,
  around: Surroundings,
): Step {
  const text = withoutEcho(withoutScrollback(around.scrollback, textOf(output)), step.words);
  // A long result of a read is about what was asked, whatever its words: they are not taken for an echo.
  const words = step.effect === 'read' && text.length > longFind ? none : step.words;
  const whole = outcomeOf(text, words);
  const { cues } = whole;
  let error =
    failed === true || (failed === undefined && mayFail(text, cues, step.effect))
      ? readError(text, failed, step.effect)
      : undefined;
  const body = withoutSurroundings(around, text, step.sketch, error !== undefined);
  // Without what stands in front of it, it may read as an error that it did not look like before.
  if (body !== text && body !== '') error = readError(body, error === undefined ? failed : true, step.effect);
  const { masked, exact, sketch, numbers, letters, trivial } = body === text ? whole : outcomeOf(body, words);
  step.seq = seq;
  step.status = error ? 'failed' : 'ok';
  step.outcome = masked;
  step.exact = exact;
  step.said = sketch;
  step.numbers = numbers;
  step.letters = letters;
  step.trivial = trivial;
  step.size = body.length;
  step.error = error;
  step.refused = (cues & cue.person) !== 0 && refusedByPerson(text);
  step.mutated = error === undefined && step.effect === 'write';
  if (step.cut && step.mutated) step.call = step.skeleton = ~step.callSeq; // each may be another change
  // Without a description in words, what a picture shows is unknown: the call counts as one more move.
  if (step.picture && error === undefined && letters < toldInWords) step.effect = 'act';
  // Rows that were changed are not changed again: the same statement, repeated, changes other rows.
  if (error === undefined && step.target === 0 && text.length < longNotice && changedRows.test(text))
    step.effect = 'act';
  // A plan always names things in progress: it is no wait.
  const { effect } = step;
  // A long page that mentions something waiting is a place to act in.
  const isPlace = effect === 'act' && text.length > longNotice;
  const mayWait = error === undefined && effect !== 'write' && effect !== 'note' && !isPlace;
  if (mayWait && (cues & cue.wait) !== 0 && isWaiting(text)) step.effect = 'poll';
  return step;
}

/** How databases say how many rows a statement changed. */
const changedRows =
  /^(?:UPDATE|DELETE|MERGE|COPY|INSERT(?: 0)?) [1-9]|\b[1-9]\d{0,9} rows? (?:were )?(?:affected|updated|deleted|inserted|changed)\b|\brows?[ _]affected"?: ?[1-9]/i;
const toldInWords = 60;
const longFind = 500;
const none: readonly number[] = [];
const longNotice = 400;

/** The fields that a saved call must have to go on with it. */
export const pendingLike = {
  id: '',
  tool: '',
  label: '',
  words: [0],
  sketch: [0],
  seq: 0,
  callSeq: 0,
  call: 0,
  skeleton: 0,
  request: 0,
};
