import { type Line, span } from '../../../terminal/rich/span.js';
import { fit, pad, widthOf } from '../../../terminal/width.js';
import type { Page } from './page.js';

export interface ShownChoice {
  /** The key that selects it. */
  readonly key: string;
  readonly label: string;
  /** What it does. */
  readonly about?: string;
}

/** Choices below each other, the selected one marked. */
export function choiceLines(choices: readonly ShownChoice[], chosen: number, { glyphs, columns }: Page): Line[] {
  const shown = choices.map((choice) => ({ ...choice, label: fit(choice.label, columns - 8, glyphs.more) }));
  const longest = Math.max(...shown.map(({ label }) => widthOf(label)));
  return shown.map(({ key, label, about = '' }, k): Line => {
    const marked = k === chosen;
    const mark = marked ? `${glyphs.prompt} ` : '  ';
    const roomy = widthOf(about) + longest + 12 <= columns;
    return [
      span(mark, 'cyan'),
      span(`${key} `, 'dim'),
      span(roomy && about !== '' ? pad(label, longest) : label, ...(marked ? (['bold', 'cyan'] as const) : [])),
      ...(roomy && about !== '' ? [span(`  ${about}`, 'dim')] : []),
    ];
  });
}
