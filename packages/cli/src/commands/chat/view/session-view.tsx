import { counted } from 'loopfuse/words';
import type { ReactNode } from 'react';
import { type Line, span } from '../../../terminal/rich/span.js';
import { fit } from '../../../terminal/width.js';
import type { SessionDialog } from '../screen/session-dialog.js';
import { Frame, Lines, usePage } from './lines.js';

const most = 10;

/** The sessions to choose from, latest first, with their dates. */
export function SessionView({ dialog: { sessions, chosen } }: { readonly dialog: SessionDialog }): ReactNode {
  const page = usePage();
  const { glyphs, columns } = page;
  const from = Math.max(0, Math.min(chosen - (most >> 1), sessions.length - most));
  const lines = sessions.slice(from, from + most).map(({ updatedAt, title, messages, halted }, k): Line => {
    const marked = from + k === chosen;
    const about = `${counted(messages, 'message')}${halted ? ', halted by a loop' : ''}`;
    const room = columns - 4 - 2 - 18 - about.length - 2;
    return [
      span(marked ? `${glyphs.prompt} ` : '  ', 'cyan'),
      span(`${dateOf(updatedAt)}  `, 'dim'),
      span(
        fit(page.line(title) || '(no messages)', Math.max(8, room), glyphs.more),
        ...(marked ? (['bold'] as const) : []),
      ),
      span(`  ${about}`, 'dim'),
    ];
  });
  return (
    <Frame colour="cyan">
      <Lines
        lines={[
          [span('Which session?', 'bold'), span(` ${sessions.length} in this folder`, 'dim')],
          ...lines,
          [span(`Up, down and Enter ${glyphs.dot} Esc stays here`, 'dim')],
        ]}
      />
    </Frame>
  );
}

/** "2026-11-15 03:31", in the time of the place. */
function dateOf(iso: string): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return iso.slice(0, 16);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${two(date.getHours())}:${two(date.getMinutes())}`;
}
