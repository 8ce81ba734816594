const codes = {
  bold: 1,
  dim: 2,
  italic: 3,
  underline: 4,
  inverse: 7,
  strike: 9,
  red: 31,
  green: 32,
  yellow: 33,
  blue: 34,
  magenta: 35,
  cyan: 36,
} as const;

export type Colour = keyof typeof codes;
/** Colours a text, or leaves it as it is where colours are not wanted. */
export type Paint = (text: string, ...colours: Colour[]) => string;

export const plain: Paint = (text) => text;

export const coloured: Paint = (text, ...colours) =>
  text === '' ? '' : `\u001b[${colours.map((colour) => codes[colour]).join(';')}m${text}\u001b[0m`;

/** NO_COLOR wins, then FORCE_COLOR; otherwise only a terminal that can gets colours. */
export function wantsColour(env: NodeJS.ProcessEnv, isTerminal: boolean): boolean {
  const { NO_COLOR, FORCE_COLOR, TERM } = env;
  if (NO_COLOR) return false;
  if (FORCE_COLOR !== undefined && FORCE_COLOR !== '') return FORCE_COLOR !== '0' && FORCE_COLOR !== 'false';
  return isTerminal && TERM !== 'dumb';
}
