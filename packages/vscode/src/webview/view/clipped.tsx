import { counted } from 'loopfuse/words';
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';

interface Props {
  readonly lines: readonly string[];
  /** How many lines are shown at first. */
  readonly most: number;
  /** Which end is shown. Of output that is still coming, that is the last. */
  readonly end: 'first' | 'last';
  readonly draw: (lines: readonly string[]) => VNode;
}

/** Some of the lines, and a button that shows all of them. */
export function Clipped({ lines, most, end, draw }: Props): VNode {
  const [all, setAll] = useState(false);
  // A button instead of a single line would save no space.
  if (lines.length <= most + 1) return draw(lines);
  const shown = all ? lines : end === 'first' ? lines.slice(0, most) : lines.slice(-most);
  const button = (
    <button type="button" class="link show-all" onClick={() => setAll(!all)} aria-expanded={all}>
      {all ? 'Show less' : `Show all ${counted(lines.length, 'line')}`}
    </button>
  );
  return (
    <div class="clipped">
      {end === 'last' && button}
      {draw(shown)}
      {end === 'first' && button}
    </div>
  );
}
