import { checked } from '../shape.js';
import { addPhrase, sketchOfPhrases, startPhrases } from '../value/phrase.js';
import { likeness, type Sketch } from '../value/sketch.js';

/**
 * Prompts that come again. A person rarely sends the same words twice; a harness answers whatever it cannot use with the
 * same sentence. Numbers do not matter.
 */
export interface Prompts {
  last: Prompt | null;
}

interface Prompt {
  readonly sketch: Sketch;
  /** Index of the event at which it was last seen. */
  readonly seq: number;
  /** How many calls had been carried out by then. */
  readonly accepted: number;
  /** Whether it was itself a repeat. */
  readonly repeated: boolean;
  /** Whether it came again straight after a result. */
  readonly turn?: boolean;
}

export interface Repeated {
  /** Where the row opened, when this is its second prompt. */
  readonly opened: number | undefined;
}

/** Shorter prompts are a person's "go on", and longer ones are told by their beginning. */
const fewestLetters = 16;
const longest = 4000;
const alike = 0.9;

export function createPrompts(): Prompts {
  return { last: null };
}

/**
 * Notes a prompt. Gives where its row stands when it is the same as the last one and no call was carried out in between;
 * and `turn` where calls were, but for the second time the model has not `spoken` since: a person waits for an answer, a
 * harness that asks for the next command does not.
 */
export function repeatedPrompt(
  prompts: Prompts,
  text: string,
  accepted: number,
  seq: number,
  spoken: boolean,
): Repeated | 'turn' | undefined {
  const { last } = prompts;
  const shown = text.slice(0, longest);
  if (lettersOf(shown) < fewestLetters) {
    prompts.last = null;
    return undefined;
  }
  const phrases = startPhrases();
  addPhrase(phrases, 0, shown);
  const sketch = sketchOfPhrases(phrases);
  const again = last !== null && likeness(last.sketch, sketch) >= alike;
  const repeated = again && last.accepted === accepted;
  const turn = again && !spoken;
  prompts.last = { sketch, seq, accepted, repeated, turn };
  if (repeated) return { opened: last.repeated ? undefined : last.seq };
  return turn && last.turn ? 'turn' : undefined;
}

/** The shape of a prompt. */
const promptLike: Prompt = { sketch: [0, 0, 0, 0], seq: 0, accepted: 0, repeated: false };

/** Prompts read back from a snapshot. Throws where they are none. */
export function loadPrompts({ last }: Prompts): Prompts {
  return { last: last === null ? null : checked(promptLike, last, 'prompts.last') };
}

function lettersOf(text: string): number {
  let letters = 0;
  for (let k = 0; k < text.length && letters < fewestLetters; k++) {
    const code = text.charCodeAt(k);
    const lower = code | 32;
    if ((lower >= 97 && lower <= 122) || code > 160) letters++;
  }
  return letters;
}

/** A prompt without the message that it answers, where it quotes it: harnesses do, people hardly ever. */
export function withoutQuote(prompt: string, message: string): string {
  const quoted = message.trim();
  const at = quoted.length < shortestQuote ? -1 : prompt.indexOf(quoted);
  return at < 0 ? prompt : prompt.slice(0, at) + prompt.slice(at + quoted.length);
}

const shortestQuote = 12;
