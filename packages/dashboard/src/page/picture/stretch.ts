/** The part of the picture that is shown, in units of the scene. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

const least = 8;

/** Zooms in (`factor` below 1) or out while `about` stays in place; never outside `0..width`. */
export function zoomed({ from, to }: Stretch, factor: number, about: number, width: number): Stretch {
  const span = Math.min(Math.max((to - from) * factor, Math.min(least, width)), width);
  const share = to === from ? 0.5 : (about - from) / (to - from);
  return inside(about - share * span, span, width);
}

export function moved({ from, to }: Stretch, by: number, width: number): Stretch {
  return inside(from + by, to - from, width);
}

/** Moves as little as necessary to show a place, not at the very edge. */
export function showing(stretch: Stretch, place: number, width: number): Stretch {
  const { from, to } = stretch;
  const edge = (to - from) / 12;
  if (place < from + edge) return moved(stretch, place - from - edge, width);
  return place > to - edge ? moved(stretch, place - to + edge, width) : stretch;
}

/** Shows a part with some space around it. */
export function around(from: number, to: number, width: number): Stretch {
  const span = Math.min(width, Math.max((to - from) * 1.3, least * 3));
  return inside((from + to - span) / 2, span, width);
}

function inside(from: number, span: number, width: number): Stretch {
  const start = Math.max(0, Math.min(from, width - span));
  return { from: start, to: start + span };
}
