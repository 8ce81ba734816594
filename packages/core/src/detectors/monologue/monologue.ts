import { defineDetector, type Sighting } from '../../detector.js';
import { requireInteger } from '../../options.js';
import { messageTool, type Step } from '../../step/step.js';
import { type FoldedText, foldText, startFoldedText } from '../../text/folded-text.js';
import { isKnown, pair, type Ring, startRing } from '../evidence.js';

export interface MonologueOptions {
  /** How many equal messages are a loop when nobody answers. */
  readonly times?: number;
  /** How many are a loop when the user answers in between. */
  readonly timesWithUser?: number;
  /** A message with fewer characters is small talk: it must repeat three times as often. */
  readonly shortMessage?: number;
}

/** What was said again and again. */
export type MonologueEvidence = {
  /** The beginning of the message, as it was worded the last time. */
  readonly message: string;
  readonly times: number;
  /** Requests of the user between the first time and the last. */
  readonly prompts: number;
};

interface State {
  /** The message under way, and where it began. */
  open: FoldedText;
  sample: string;
  began: number;
  /** The last few different messages since something new was done. */
  said: Said[];
  prompts: number;
  /** The last calls with their outcomes. */
  done: Ring;
}

interface Said {
  hash: number;
  length: number;
  times: number;
  /** Where it began the second time. */
  onset: number;
  /** Prompts before it was first said. */
  prompts: number;
}

const sampleLength = 160;
const maxSaid = 8;
const maxDone = 32;

/**
 * Sees the same message turn after turn with nothing new done in between. Case, white space and digits do not matter. A
 * call counts as new if it was not made before or has another result than before; waiting for a job counts as new too.
 */
export function monologue({ times = 3, timesWithUser = 5, shortMessage = 40 }: MonologueOptions = {}) {
  requireInteger('monologue: times', times, 2);
  requireInteger('monologue: timesWithUser', timesWithUser, 2);
  requireInteger('monologue: shortMessage', shortMessage, 0);

  function endMessage(state: State): Sighting<MonologueEvidence> | undefined {
    const { hash, length } = state.open;
    if (length === 0) return undefined;
    const { sample, began } = state;
    clearMessage(state);
    const said = remember(state, hash, length, began);
    const prompts = state.prompts - said.prompts;
    const patience = length < shortMessage ? 3 : 1;
    const enough = (prompts === 0 ? times : timesWithUser) * patience;
    if (said.times < times * patience) return undefined;
    return {
      kind: 'monologue',
      status: said.times < enough ? 'suspect' : 'looping',
      onset: said.onset,
      confidence: said.times < enough ? 0.5 : prompts === 0 ? 0.9 : 0.8,
      evidence: { message: sample, times: said.times, prompts },
    };
  }

  return defineDetector({
    name: 'monologue',
    options: () => ({ times, timesWithUser, shortMessage }),
    reads: ['text', 'prompt', 'turn-start', 'turn-end', 'tool-call', 'retry', 'steer', 'compaction', 'step'],
    start: (): State => ({ open: startFoldedText(), sample: '', began: 0, said: [], prompts: 0, done: startRing() }),
    observe(state, reading, seq) {
      if (reading.type === 'text') {
        if (state.open.length === 0) state.began = seq;
        if (state.sample.length < sampleLength) state.sample = (state.sample + reading.text).slice(0, sampleLength);
        foldText(state.open, reading.text);
        return undefined;
      }
      // The attempt is made again; or the message was a call in words, and what came of it says whether it repeats.
      if (reading.type === 'retry' || (reading.type === 'step' && isToldInWords(reading))) clearMessage(state);
      const sighting = endMessage(state);
      if (reading.type === 'prompt') state.prompts++;
      if (reading.type === 'step' && isNew(state, reading)) state.said = [];
      return sighting;
    },
    explain: ({ message, times: said, prompts }: MonologueEvidence) =>
      `The same message was given ${said} times with nothing new done in between${
        prompts === 0 ? '' : `, although the user answered ${prompts === 1 ? 'once' : `${prompts} times`}`
      }: ${JSON.stringify(message)}.`,
  });
}

function clearMessage(state: State): void {
  state.open = startFoldedText();
  state.sample = '';
}

/** Counts a message and moves it to the end of the list. */
function remember(state: State, hash: number, length: number, began: number): Said {
  const index = state.said.findIndex((said) => said.hash === hash && said.length === length);
  const known = index < 0 ? undefined : state.said.splice(index, 1)[0];
  const said = known ?? { hash, length, times: 0, onset: began, prompts: state.prompts };
  said.times++;
  if (said.times === 2) said.onset = began;
  state.said.push(said);
  if (state.said.length > maxSaid) state.said.shift();
  return said;
}

/** Whether a message was a call in words whose result says more than that something was done. */
function isToldInWords({ tool, effect, callSeq, seq }: Step): boolean {
  return callSeq === seq && tool !== messageTool && effect !== 'act';
}

function isNew(state: State, step: Step): boolean {
  if (step.effect === 'note') return false;
  if (step.effect === 'poll') return true;
  return !isKnown(state.done, pair(step.call, step.outcome), maxDone);
}
