import { checked } from '../shape.js';
import { addCode, digest, startHash } from '../value/fingerprint.js';
import { addPhrase, sketchOfPhrases, startPhrases } from '../value/phrase.js';
import { likeness, type Sketch } from '../value/sketch.js';
import { mayFail, readError } from './error.js';
import { outcomeOf } from './outcome.js';
import { createSurroundings, type Surroundings } from './surroundings.js';

/**
 * Prompts that the user did not write. A user rarely sends the same words twice; a harness answers whatever it cannot
 * use with the same sentence, apart from numbers. Some hosts run what the model writes as text, and show what came of
 * it in prompts that all open in the same way: "Observation: …".
 */
export interface Prompts {
  last: Prompt | null;
  /** How the last prompts opened, as hashes, oldest first. */
  openings: number[];
  /** Whether prompts that opened in the same way said different things: then they show the results of messages. */
  shows: boolean;
}

interface Prompt {
  readonly sketch: Sketch;
  /** A hash of its words and numbers, without counters. */
  readonly masked?: number;
  /** Index of the event at which it was last seen. */
  readonly seq: number;
  /** How many calls had been carried out by then. */
  readonly accepted: number;
  /** Whether it was itself a repeat. */
  readonly repeated: boolean;
  /** Whether it came again directly after a result, before the model had spoken. */
  readonly turn?: boolean;
}

export interface Repeated {
  /** Index of the first prompt of the row, when this is the second. */
  readonly opened: number | undefined;
}

/** Shorter prompts are a user's "go on"; of longer ones only the beginning is compared. */
const fewestLetters = 16;
const longest = 4000;
const alike = 0.9;

export function createPrompts(): Prompts {
  return { last: null, openings: [], shows: false };
}

/** What had happened when a prompt came. */
export interface Situation {
  readonly seq: number;
  /** How many calls had been carried out. */
  readonly accepted: number;
  /** The model had said something since its last call, or had made none. */
  readonly spoken: boolean;
  /** The last thing that came was the result of a call. */
  readonly answered: boolean;
  /** The model shows in its calls what it does. */
  readonly hasTools: boolean;
  /** Its message marks an action, so the prompt is the result of that. */
  readonly told: boolean;
}

/**
 * Records a prompt and tells what it is. `{ opened }`: the same as the last one, with no call carried out in between: it
 * refuses a message. `shown`: it shows what came of a message. `turn`: calls were carried out, but for the second time
 * the model has not spoken since. A user waits for an answer; a harness that asks for the next command does not.
 */
export function repeatedPrompt(
  prompts: Prompts,
  text: string,
  { seq, accepted, spoken, answered, hasTools, told }: Situation,
): Repeated | 'shown' | 'turn' | undefined {
  const { last } = prompts;
  const shown = text.slice(0, longest);
  const opensAlike = !hasTools && noteOpening(prompts, shown);
  if (lettersOf(shown) < fewestLetters) {
    prompts.last = null;
    return spoken && told ? 'shown' : undefined;
  }
  const phrases = startPhrases();
  addPhrase(phrases, 0, shown);
  const sketch = sketchOfPhrases(phrases);
  const { masked, cues } = outcomeOf(shown);
  const again = last !== null && likeness(last.sketch, sketch) >= alike;
  const complains = mayFail(shown, cues, 'run') && readError(shown, undefined, 'run') !== undefined;
  // When only numbers differ, the numbers are the result; but a harness may number its complaints.
  if (opensAlike && last !== null && (again ? masked !== last.masked && !complains : true)) prompts.shows = true;
  const isShown = spoken && !hasTools && (told || isPicturePrompt(shown) || (opensAlike && prompts.shows));
  const repeated = again && last.accepted === accepted && !isShown && !(answered && !spoken);
  const turn = again && !spoken;
  prompts.last = { sketch, masked, seq, accepted, repeated, turn };
  if (isShown) return 'shown';
  if (repeated) return { opened: last.repeated ? undefined : last.seq };
  return turn && last.turn ? 'turn' : undefined;
}

/** The shape of a prompt. */
const promptLike: Prompt = { sketch: [0, 0, 0, 0], seq: 0, accepted: 0, repeated: false };

/** Prompts read back from a snapshot. Throws when they are not valid. */
export function loadPrompts({ last, openings = [], shows = false }: Prompts): Prompts {
  return {
    last: last === null ? null : checked(promptLike, last, 'prompts.last'),
    openings: checked([0], openings, 'prompts.openings').slice(-mostOpenings),
    shows,
  };
}

/** Whether a prompt is a picture with hardly any text: what came of a click on some screen. */
export function isPicturePrompt(text: string): boolean {
  return text.length <= longestCaption && picture.test(text);
}

const longestCaption = 100;
const picture = /\b(?:image|screenshot|img)\b/i;

/** What a host shows in prompts directly after results, such as the page after a click. */
export interface Views {
  /** How the last of them opened. */
  openings: number[];
  /** A hash of the last; and whether two with the same opening were different: what never changes shows nothing. */
  masked: number;
  change: boolean;
  /** What stands around them. */
  readonly around: Surroundings;
}

export function createViews(): Views {
  return { openings: [], masked: 0, change: false, around: createSurroundings() };
}

/** Whether a prompt that comes directly after a result belongs to it. */
export function isView(views: Views, text: string): boolean {
  if (text.length < shortestView) return false;
  const isKnown = noteOpening(views, text);
  const { masked } = outcomeOf(text.slice(0, longest));
  if (isKnown && views.masked !== masked) views.change = true;
  views.masked = masked;
  return isKnown && views.change;
}

/** What a prompt shows, without the label that the host writes before it each time, such as "Observation:". */
export function withoutLabel(known: Pick<Views, 'openings'>, text: string): string {
  const length = openingLength(text);
  const label = text.slice(0, length);
  const isLabel = length <= longestLabel && length < text.length && !/\d/.test(label) && noteOpening(known, text);
  return isLabel && readError(label, undefined, 'run') === undefined
    ? text.slice(length).replace(restOfLine, '')
    : text;
}

const longestLabel = 40;
const restOfLine = /^:?[ \t]{0,4}\n/;

/** A shorter prompt only asks for the next command. */
const shortestView = 200;

export function loadViews(views: Partial<Views> = {}): Views {
  return {
    ...createViews(),
    ...views,
    openings: checked([0], views.openings ?? [], 'views.openings').slice(-mostOpenings),
  };
}

const longestOpening = 100;
const mostOpenings = 4;

/** Whether one of the last prompts opened in the same way, digits and blanks ignored. If not, the opening is kept. */
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
