import type { Colour } from '../paint.js';
import { widthOf } from '../width.js';

/** A stretch of text in one style. */
export interface Span {
  readonly text: string;
  readonly colours: readonly Colour[];
}

/** A line as it is on the screen, without a line break. */
export type Line = readonly Span[];

export function span(text: string, ...colours: Colour[]): Span {
  return { text, colours };
}

export function lineWidth(line: Line): number {
  return line.reduce((width, { text }) => width + widthOf(text), 0);
}

export function lineText(line: Line): string {
  return line.map(({ text }) => text).join('');
}

/** The line with a style put on all of it. */
export function coloured(line: Line, ...colours: Colour[]): Line {
  return line.map((one) => ({ text: one.text, colours: [...one.colours, ...colours] }));
}
