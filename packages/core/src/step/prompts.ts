import { checked } from '../shape.js';
import { addCode, digest, startHash } from '../value/fingerprint.js';
import { addPhrase, sketchOfPhrases, startPhrases } from '../value/phrase.js';
import { likeness, type Sketch } from '../value/sketch.js';
import { type Counters, createCounters } from './counters.js';
import { mayFail, readError } from './error.js';
import { outcomeOf } from './outcome.js';

/**
 * Prompts that no person wrote. A person rarely sends the same words twice; a harness answers whatever it cannot use with
 * the same sentence, numbers aside. And some carry out what the model writes as text, and show what came of it in prompts
 * that all open in the same way: "Observation: …".
 */
export interface Prompts {
  last: Prompt | null;
  /** How the last prompts opened, as hashes, oldest first. */
  openings: number[];
  /** Whether prompts that opened in the same way said different things: then they show what came of a message. */
  shows: boolean;
}

interface Prompt {
  readonly sketch: Sketch;
  /** A hash of its words and numbers, counters apart. */
  readonly masked?: number;
  /** A hash of the action that it answered, where the message said what to do. */
  readonly action?: number;
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
  return { last: null, openings: [], shows: false };
}

/**
 * Notes a prompt. Gives where its row stands when it is the same as the last one and no call was carried out in between;
 * `shown` where it shows what came of a message; and `turn` where calls were carried out, but for the second time the
 * model has not `spoken` since: a person waits for an answer, a harness that asks for the next command does not. A model
 * that `hasTools` shows in its calls what it does; `action` is a hash of what its message says that is to be done, 0 where it
 * does not say so.
 */
export function repeatedPrompt(
  prompts: Prompts,
  text: string,
  accepted: number,
  seq: number,
  spoken: boolean,
  hasTools: boolean,
  action: number,
): Repeated | 'shown' | 'turn' | undefined {
  const { last } = prompts;
  const shown = text.slice(0, longest);
  const opensAlike = !hasTools && noteOpening(prompts, shown);
  if (lettersOf(shown) < fewestLetters) {
    prompts.last = null;
    return spoken && action !== 0 ? 'shown' : undefined;
  }
  const phrases = startPhrases();
  addPhrase(phrases, 0, shown);
  const sketch = sketchOfPhrases(phrases);
  const { masked, cues } = outcomeOf(shown);
  const again = last !== null && likeness(last.sketch, sketch) >= alike;
  const complains = mayFail(shown, cues, 'run') && readError(shown, undefined, 'run') !== undefined;
  // Where only numbers differ, they are what came of it; but a harness may count its complaints.
  if (opensAlike && last !== null && (again ? masked !== last.masked && !complains : true)) prompts.shows = true;
  const isSame = again && masked === last.masked;
  // What is answered to another action in the very same words does not tell what came of it: it was refused.
  const isTold = action !== 0 && (!isSame || action === last.action);
  const isShown = spoken && !hasTools && (isTold || isPicturePrompt(shown) || (opensAlike && prompts.shows && !isSame));
  const repeated = again && last.accepted === accepted && !isShown;
  const turn = again && !spoken;
  prompts.last = { sketch, masked, action, seq, accepted, repeated, turn };
  if (isShown) return 'shown';
  if (repeated) return { opened: last.repeated ? undefined : last.seq };
  return turn && last.turn ? 'turn' : undefined;
}

/** The shape of a prompt. */
const promptLike: Prompt = { sketch: [0, 0, 0, 0], seq: 0, accepted: 0, repeated: false };

/** Prompts read back from a snapshot. Throws where they are none. */
export function loadPrompts({ last, openings = [], shows = false }: Prompts): Prompts {
  return {
    last: last === null ? null : checked(promptLike, last, 'prompts.last'),
    openings: checked([0], openings, 'prompts.openings').slice(-mostOpenings),
    shows,
  };
}

/** Whether a prompt is a picture, and hardly anything is said beside it: what came of a click on some screen. */
export function isPicturePrompt(text: string): boolean {
  return text.length <= longestCaption && picture.test(text);
}

const longestCaption = 100;
const picture = /\b(?:image|screenshot|img)\b/i;

/** What a host shows in prompts straight after results, such as the page after a click. */
export interface Views {
  /** How the last of them opened. */
  openings: number[];
  /** A hash of the last; and whether two that opened in the same way were different: one that never changes shows nothing. */
  masked: number;
  change: boolean;
  /** What is counted around them. */
  readonly counters: Counters;
}

export function createViews(): Views {
  return { openings: [], masked: 0, change: false, counters: createCounters() };
}

/** Whether a prompt that comes straight after a result belongs to it. */
export function isView(views: Views, text: string): boolean {
  if (text.length < shortestView) return false;
  const isKnown = noteOpening(views, text);
  const { masked } = outcomeOf(text.slice(0, longest));
  if (isKnown && views.masked !== masked) views.change = true;
  views.masked = masked;
  return isKnown && views.change;
}

/** A shorter prompt asks for the next command. */
const shortestView = 200;

export function loadViews(views: Views = createViews()): Views {
  return { ...views, openings: checked([0], views.openings, 'views.openings').slice(-mostOpenings) };
}

const longestOpening = 100;
const mostOpenings = 4;

/** Whether one of the last prompts opened in the same way, digits and blanks apart. */
function noteOpening({ openings }: Pick<Prompts, 'openings'>, text: string): boolean {
  const length = openingLength(text);
  if (length === 0) return false;
  let hash = startHash;
  for (let at = 0; at < length; at++) if (counts(text.charCodeAt(at))) hash = addCode(hash, text.charCodeAt(at));
  const opening = digest(hash);
  if (openings.includes(opening)) return true;
  openings.push(opening);
  if (openings.length > mostOpenings) openings.shift();
  return false;
}

/** How long the opening of a prompt is: up to its first colon, bracket or line; 0 where it has none. */
export function openingLength(text: string): number {
  let letters = 0;
  for (let at = 0; at < text.length && at < longestOpening; at++) {
    const code = text.charCodeAt(at);
    if ((code === 58 || code === 93 || code === 10) && letters >= 3) return at + 1;
    if (counts(code)) letters++;
  }
  return 0;
}

function counts(code: number): boolean {
  return code > 32 && (code < 48 || code > 57);
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
