/** The colours of the page as the picture uses them. */
export interface Palette {
  readonly ink: string;
  /** For text. */
  readonly faint: string;
  readonly quiet: string;
  readonly line: string;
  readonly paper: string;
  readonly loop: string;
  readonly suspect: string;
  readonly failed: string;
  readonly novelty: string;
  readonly progress: string;
  readonly focus: string;
  /** For repeated calls and texts. */
  readonly repeated: readonly string[];
}

/** The current colours of the style sheet; they change with the theme. */
export function paletteOf(element: Element): Palette {
  const style = getComputedStyle(element);
  const colour = (name: string) => style.getPropertyValue(`--${name}`).trim();
  return {
    ink: colour('ink'),
    faint: colour('faint'),
    quiet: colour('quiet'),
    line: colour('line'),
    paper: colour('paper'),
    loop: colour('loop'),
    suspect: colour('suspect'),
    failed: colour('failed'),
    novelty: colour('novelty'),
    progress: colour('progress'),
    focus: colour('focus'),
    repeated: [1, 2, 3, 4, 5, 6].map((k) => colour(`repeated-${k}`)),
  };
}
