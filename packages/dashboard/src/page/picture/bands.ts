import type { Scene } from './scene.js';

/** The positions of the parts of the picture, from top to bottom, in pixels. */
export interface Bands {
  readonly callArcs: Band;
  readonly rows: Band;
  readonly rowHeight: number;
  readonly resultArcs: Band;
  readonly curves: Band;
  readonly axis: Band;
  readonly height: number;
}

export interface Band {
  readonly top: number;
  readonly bottom: number;
}

/** Pixels at both sides, so that the first and the last mark are not cut. */
export const inset = 10;

const labels = 24;
const air = 10;

export function bandsOf({ rows, sameCalls, sameResults }: Scene): Bands {
  const rowHeight = rows.length > 8 ? 20 : 24;
  let at = labels;
  const band = (height: number): Band => {
    const top = at;
    at += height;
    return { top, bottom: at };
  };
  const callArcs = band(sameCalls.length > 0 ? 84 : 4);
  at += 4;
  const own = band(rows.length * rowHeight);
  at += 4;
  const resultArcs = band(sameResults.length > 0 ? 64 : 4);
  at += air;
  const curves = band(76);
  const axis = band(24);
  return { callArcs, rows: own, rowHeight, resultArcs, curves, axis, height: at };
}
