import { type Line, span } from '../../../terminal/rich/span.js';
import { fit, pad } from '../../../terminal/width.js';
import { slashMenu } from '../screen/slash-menu.js';
import type { ChatState } from '../screen/state.js';
import type { Page } from './page.js';

/** The commands that can be meant, one line each; in a low terminal those around the marked one. */
export function menuLines(state: Pick<ChatState, 'editor' | 'menu'>, page: Page): Line[] {
  const menu = slashMenu(state);
  if (menu === undefined) return [];
  const { commands, chosen } = menu;
  const { glyphs, columns, rows } = page;
  const most = Math.max(3, rows - 14);
  const from = Math.max(0, Math.min(chosen - (most >> 1), commands.length - most));
  const longest = Math.max(...commands.map(({ name }) => name.length + 1));
  const shown = commands.slice(from, from + most).map(({ name, about }, k): Line => {
    const marked = from + k === chosen;
    return [
      span(marked ? `${glyphs.prompt} ` : '  ', 'cyan'),
      span(pad(`/${name}`, longest), ...(marked ? (['bold', 'cyan'] as const) : [])),
      span(`  ${fit(about, columns - longest - 4, glyphs.more)}`, 'dim'),
    ];
  });
  const hint = `Enter runs ${glyphs.dot} Tab completes ${glyphs.dot} Esc closes`;
  return [...shown, [span(fit(hint, columns, glyphs.more), 'dim')]];
}
