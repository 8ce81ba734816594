/** The answer of a judge. */
export interface Answer {
  /** What the agent is doing, and why that is a loop or not. */
  readonly analysis: string;
  /** 0..1: how sure the judge is of a loop. */
  readonly confidence: number;
}

const longestAnalysis = 2000;

/** The shape of an answer, as JSON Schema. The number has no bounds: several providers refuse a schema with bounds. */
export const answerSchema = {
  type: 'object',
  properties: {
    analysis: {
      type: 'string',
      description:
        'Two to four sentences: what the agent did of late, what changed by it, and why that is a loop or not.',
    },
    confidence: {
      type: 'number',
      description:
        'How sure you are that the agent is stuck in a loop: a number from 0 (certainly not) to 1 (certainly).',
    },
  },
  required: ['analysis', 'confidence'],
  additionalProperties: false,
} as const;

/** The judge's reply is not a valid answer. The message quotes its beginning. */
export class AnswerError extends TypeError {
  override readonly name = 'AnswerError';
}

/** Reads an answer: an object, or JSON text, with or without a fence or prose around it. Throws `AnswerError`. */
export function readAnswer(value: unknown): Answer {
  const answer = typeof value === 'string' ? parse(value) : value;
  if (!isObject(answer)) throw new AnswerError(`expected an object with analysis and confidence, got ${quote(value)}`);
  const { analysis, confidence } = answer as { analysis?: unknown; confidence?: unknown };
  if (typeof analysis !== 'string')
    throw new AnswerError(`the answer's analysis must be a text, got ${quote(analysis)}`);
  const sure = confidenceOf(confidence);
  if (sure === undefined)
    throw new AnswerError(`the answer's confidence must be a number from 0 to 1, got ${quote(confidence)}`);
  return { analysis: analysis.trim().slice(0, longestAnalysis), confidence: sure };
}

/** Models also write "0.95", "0,95", 95 and "95 %", and mean the same. A number such as 2 is not clear. */
function confidenceOf(value: unknown): number | undefined {
  const [, digits, percent] = typeof value === 'string' ? (/^(\d+(?:[.,]\d+)?) ?(%?)$/.exec(value.trim()) ?? []) : [];
  const number =
    typeof value === 'number' ? value : digits === undefined ? Number.NaN : Number(digits.replace(',', '.'));
  const share = percent === '%' || (number >= 10 && Number.isInteger(number)) ? number / 100 : number;
  return share >= 0 && share <= 1 ? share : undefined;
}

function parse(text: string): unknown {
  // Some models write their thoughts before the answer, and some put JSON into a fence although the prompt forbids it.
  const answer = unfenced(text.replace(/^\s*<think>[\s\S]*?<\/think>/, '').trim());
  if (answer === '') throw new AnswerError('the answer is empty');
  const whole = parsed(answer);
  const found = looksRight(whole) ? whole : (lastAnswerIn(answer) ?? whole);
  if (found === undefined) throw new AnswerError(`the answer is not JSON: ${quote(text)}`);
  return found;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** This many objects are tried, from the last one back, so that a text full of braces does not take long. */
const mostTried = 32;

/**
 * The last object in a text that has the two parts of an answer. Around it there may be prose, quoted calls, and drafts
 * of the answer; the last one is the model's conclusion.
 */
function lastAnswerIn(text: string): object | undefined {
  let at = text.length;
  for (let tried = 0; at > 0 && tried < mostTried; ) {
    at = text.lastIndexOf('{', at - 1);
    if (at < 0) return undefined;
    if (!/^\{\s{0,20}"/.test(text.slice(at, at + 22))) continue;
    tried++;
    const object = parsed(text.slice(at, endOfObject(text, at)));
    if (looksRight(object)) return object;
  }
  return undefined;
}

/** The index after the brace that closes the one at `start`; braces in strings do not count. */
function endOfObject(text: string, start: number): number {
  let depth = 0;
  let inString = false;
  for (let at = start; at < text.length; at++) {
    const character = text[at];
    if (inString && character === '\\') at++;
    else if (character === '"') inString = !inString;
    else if (!inString && character === '{') depth++;
    else if (!inString && character === '}' && --depth === 0) return at + 1;
  }
  return text.length;
}

function looksRight(value: unknown): value is object {
  return isObject(value) && 'analysis' in value && 'confidence' in value;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function unfenced(text: string): string {
  const opening = /^```[a-z]*\n/i.exec(text)?.[0];
  if (opening === undefined || !text.endsWith('```')) return text;
  return text.slice(opening.length, Math.max(opening.length, text.length - 3));
}

function quote(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.length > 80 ? `${value.slice(0, 80)}…` : value);
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return String(value);
  return value === undefined ? 'nothing' : Array.isArray(value) ? 'a list' : `a value of type ${typeof value}`;
}
