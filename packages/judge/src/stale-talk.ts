import { type Detector, defineDetector, type Step } from 'loopfuse';
import { requireInteger } from './options.js';

export interface StaleTalkOptions {
  /** How many messages with hardly anything new are a suspicion. */
  readonly messages?: number;
}

type Evidence = { messages: number };

interface State {
  /** The beginning of the message under way, and the event with which it began. */
  open: string;
  began: number;
  /** The words of the last messages and prompts. */
  said: string[][];
  /** How many messages said hardly anything new, and the event with which the first of them began. */
  stale: number;
  onset: number;
}

const mostRemembered = 12;
/** How many characters and words of each message or prompt are read. */
const longest = 600;
const mostWords = 80;
/** How many words of a message, and of a prompt, may be new: thanks and announcements find other words each time. */
const newInMessage = 9;
const newInPrompt = 12;

/**
 * Suspects talk that goes on while nothing is done: messages in a row, without a call between them, with hardly a word
 * that neither side had said before. It sees thanks and goodbyes, announcements, apologies and repeated questions. It
 * also sees drills, in which a form is filled in again each time: so it only makes a judge look, and is not reported
 * anywhere else.
 */
export function staleTalk({ messages = 4 }: StaleTalkOptions = {}): Detector {
  requireInteger('staleTalk: messages', messages, 1);
  return defineDetector<'text' | 'prompt' | 'turn-start' | 'retry' | 'step', State, Evidence>({
    name: 'stale-talk',
    reads: ['text', 'prompt', 'turn-start', 'retry', 'step'],
    start,
    observe(state, reading, seq) {
      if (reading.type === 'text') {
        if (state.open === '') state.began = seq;
        if (state.open.length < longest) state.open = (state.open + reading.text).slice(0, longest);
        return undefined;
      }
      if (reading.type === 'step') {
        if (isWork(reading)) Object.assign(state, start());
        return undefined;
      }
      const isOver = state.open !== '' && reading.type !== 'retry';
      if (isOver) addMessage(state);
      state.open = '';
      if (reading.type === 'prompt') addPrompt(state, reading.text ?? '');
      if (!isOver || state.stale < messages) return undefined;
      const { onset, stale } = state;
      return { kind: 'monologue', status: 'suspect', onset, confidence: 0.3, evidence: { messages: stale } };
    },
    explain: ({ messages: stale }) => `${stale} messages without a call said hardly anything that had not been said.`,
  });
}

function start(): State {
  return { open: '', began: 0, said: [], stale: 0, onset: 0 };
}

/**
 * Plans and thoughts are not work. Nor are the steps that the core makes from messages alone: of a message that got the
 * same answer as the last one, or an answer that opens like the others.
 */
function isWork({ effect, tool }: Step): boolean {
  return effect !== 'note' && tool !== 'message' && (tool !== 'action' || effect !== 'run');
}

function addMessage(state: State): void {
  const words = wordsIn(state.open);
  if (state.said.length > 0 && words.length > 0) {
    const isStale = countNew(state, words) <= newInMessage;
    if (!isStale) state.stale >>= 1;
    if (state.stale === 0) state.onset = state.began;
    if (isStale) state.stale++;
  }
  remember(state, words);
}

function addPrompt(state: State, text: string): void {
  const words = wordsIn(text.slice(0, longest));
  if (countNew(state, words) > newInPrompt) state.stale >>= 1;
  remember(state, words);
}

function remember({ said }: State, words: string[]): void {
  said.push(words);
  if (said.length > mostRemembered) said.shift();
}

/** How many words were not said recently; two letters of a script without blanks count as half a word. */
function countNew({ said }: State, words: readonly string[]): number {
  const fresh = words.filter((word) => !said.some((others) => others.includes(word)));
  return fresh.reduce((sum, word) => sum + (unspaced.test(word) ? 0.5 : 1), 0);
}

/** The words of a text, each once; in scripts without blanks between words, every pair of neighbouring letters. */
function wordsIn(text: string): string[] {
  const words = new Set<string>();
  for (const [run] of text.toLowerCase().matchAll(/[\p{L}\p{M}]{1,40}|\d{1,40}/gu)) {
    if (words.size >= mostWords) break;
    if (!unspaced.test(run)) words.add(run);
    else for (let i = 0; i + 1 < run.length; i++) words.add(run.slice(i, i + 2));
  }
  return [...words];
}

const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
