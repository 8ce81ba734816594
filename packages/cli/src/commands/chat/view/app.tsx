import type { Item } from '@loopfuse/conversation';
import { Box, Static, useStdout } from 'ink';
import { type ReactNode, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import type { Shell } from '../../../shell.js';
import { type Line, span } from '../../../terminal/rich/span.js';
import { fit } from '../../../terminal/width.js';
import type { Chat } from '../chat-session.js';
import type { ChatState } from '../screen/state.js';
import { ApprovalView } from './approval-view.js';
import { editorLines } from './editor-lines.js';
import { itemLines } from './item-lines.js';
import { Lines, PageContext } from './lines.js';
import { LoopDialogView } from './loop-dialog-view.js';
import { menuLines } from './menu-lines.js';
import { outputLines } from './output-lines.js';
import { type Page, pageOf } from './page.js';
import { piecesOf } from './pieces.js';
import { SessionView } from './session-view.js';
import { statusLine, workLine } from './status-lines.js';

interface AppProps {
  readonly chat: Chat;
  readonly shell: Shell;
  /** The user has left: the conversation stays, and the input line is removed. */
  readonly left?: boolean;
}

/** The whole screen: the conversation, which scrolls away; below it the work in progress and the input line. */
export function App({ chat, shell, left = false }: AppProps): ReactNode {
  const state = useSyncExternalStore(chat.subscribe, () => chat.state);
  const { stdout } = useStdout();
  const [{ columns, rows, from, times }, setSheet] = useState({ ...sizeOf(stdout), from: 0, times: 0 });
  const page = useMemo(() => pageOf(shell, { columns, rows }), [shell, columns, rows]);
  useResize(stdout, () => {
    stdout.write(blank);
    const size = sizeOf(stdout);
    setSheet((before) => ({ ...size, from: lastScreenful(chat.state, pageOf(shell, size)), times: before.times + 1 }));
  });
  const { conversation, full } = state;
  const final = useMemo(() => conversation.items.flatMap((item) => piecesOf(item).final), [conversation.items]);
  const live = left ? conversation.live : conversation.live.slice(0, 1).flatMap((item) => piecesOf(item).final);
  const drawn = [...final, ...live];
  return (
    <PageContext.Provider value={page}>
      <Static key={times} items={drawn.slice(from)}>
        {(item, nth) => <Lines key={from + nth} lines={itemLines(item, drawn[from + nth - 1], page, { full })} />}
      </Static>
      {left ? (
        <Lines lines={[[], statusLine({ ...state, quitting: false }, page)]} />
      ) : (
        <>
          <Live state={state} page={page} before={drawn.at(-1)} />
          <Bottom state={state} page={page} />
        </>
      )}
    </PageContext.Provider>
  );
}

interface LiveProps {
  readonly state: ChatState;
  readonly page: Page;
  /** The last item above it that is final. */
  readonly before: Item | undefined;
}

/** The items that may still change, as many of the last lines as fit. The question about a loop is drawn below them. */
function Live({ state, page, before }: LiveProps): ReactNode {
  const { dialog, conversation } = state;
  const isIdle = conversation.phase === 'idle';
  const { seconds, frame } = useWork(!isIdle && dialog === undefined);
  const live = conversation.live.flatMap((item, k) => (k === 0 ? piecesOf(item).open : [item])).filter(isNoQuestion);
  if (dialog?.type === 'output' || (live.length === 0 && (isIdle || dialog?.type === 'loop'))) return null;
  const spinner = dialog === undefined ? page.glyphs.spinner[frame % page.glyphs.spinner.length]! : '?';
  const first = firstOpen(live);
  const lines = live.flatMap((item, k) => {
    const above = k === 0 ? before : live[k - 1];
    if (item.type !== 'thinks') return itemLines(item, above, page, k === first ? { spinner } : {});
    const thought = itemLines(item, above, page, { full: true });
    return state.full ? thought : thought.slice(-mostThought);
  });
  // Below are a blank line, the work line, the input and the status; one row stays free.
  const most = dialog === undefined ? page.rows - 4 - typingLines(state, page).length : page.rows < 24 ? 0 : 4;
  const shown = endOf(lines, Math.max(0, most), page);
  const works = dialog === undefined && !isIdle;
  return <Lines lines={[...shown, [], ...(works ? [workLine(state, seconds, spinner, page)] : [])]} />;
}

/** The last lines, with a sign that there are more before them if it fits. */
function endOf(lines: readonly Line[], most: number, { glyphs }: Page): readonly Line[] {
  if (lines.length <= most) return lines;
  if (most < 4) return lines.slice(lines.length - most);
  return [[], [span(`  ${glyphs.more}`, 'dim')], ...lines.slice(2 - most)];
}

/** Lines of current thinking that are shown. */
const mostThought = 3;

/** The call that is being worked on; those after it wait. */
function firstOpen(live: readonly Item[]): number {
  return live.findIndex((item) => item.type === 'tool' && item.status === 'pending');
}

function isNoQuestion(item: Item): boolean {
  return item.type !== 'loop' || item.state === 'answered';
}

function Bottom({ state, page }: { readonly state: ChatState; readonly page: Page }): ReactNode {
  const { dialog, conversation } = state;
  const { phase } = conversation;
  return (
    <Box flexDirection="column" marginTop={phase === 'idle' && conversation.items.length > 0 ? 1 : 0}>
      {dialog?.type === 'loop' ? (
        <LoopDialogView dialog={dialog} />
      ) : dialog?.type === 'approval' ? (
        <ApprovalView dialog={dialog} />
      ) : dialog?.type === 'sessions' ? (
        <SessionView dialog={dialog} />
      ) : dialog?.type === 'output' ? (
        <Lines lines={outputLines(dialog, page)} />
      ) : (
        <Lines lines={typingLines(state, page)} />
      )}
      <Lines lines={[statusLine(state, page)]} />
    </Box>
  );
}

/** The input, with queued messages above it and the matching commands below it. */
function typingLines(state: ChatState, page: Page): Line[] {
  const rule: Line = [span(page.glyphs.rule.repeat(page.columns), 'dim')];
  const placeholder = state.conversation.phase === 'idle' ? 'Ask for something, or /help' : '';
  const typed = editorLines(state.editor, page, mostTyped(page), placeholder);
  return [...queuedLines(state, page), rule, ...typed, rule, ...menuLines(state, page)];
}

function queuedLines({ queued }: ChatState, page: Page): Line[] {
  if (queued.length === 0) return [];
  const text = page.line(queued.join('\n'));
  return [[span(fit(`${page.glyphs.prompt} ${text}`, page.columns, page.glyphs.more), 'dim')]];
}

/** Lines of the input that are shown. */
function mostTyped({ rows }: Page): number {
  return rows < 10 ? 1 : rows >> 2;
}

/** Clears the screen, but not the scrollback. */
const blank = '\u001b[2J\u001b[H';
/** How long a size must last before everything is drawn anew, in milliseconds. */
const calm = 80;

function sizeOf({ columns, rows }: NodeJS.WriteStream): { readonly columns: number; readonly rows: number } {
  return { columns, rows };
}

/**
 * A terminal rewraps its lines when its width changes, so that their positions are unknown: the screen is drawn again, from
 * the first item that fits.
 */
function useResize(stdout: NodeJS.WriteStream, onResized: () => void): void {
  const latest = useRef(onResized);
  latest.current = onResized;
  useEffect(() => {
    let timer: NodeJS.Timeout | undefined;
    const onResize = () => {
      clearTimeout(timer);
      timer = setTimeout(() => latest.current(), calm);
    };
    stdout.on('resize', onResize);
    return () => {
      clearTimeout(timer);
      stdout.off('resize', onResize);
    };
  }, [stdout]);
}

function lastScreenful({ conversation, full }: ChatState, page: Page): number {
  const items = conversation.items.flatMap((item) => piecesOf(item).final);
  let room = page.rows;
  let from = items.length;
  while (from > 0 && room > 0) {
    from--;
    room -= itemLines(items[from]!, items[from - 1], page, { full }).length;
  }
  return from;
}

/** How long the work has been going on, and the frame of the spinner. */
function useWork(active: boolean): { readonly seconds: number; readonly frame: number } {
  const [{ frame, seconds }, setShown] = useState(atStart);
  useEffect(() => {
    if (!active) return;
    const begun = performance.now();
    setShown(atStart);
    // Ticks come late or not at all where the process is busy or the machine sleeps: only the frame counts them.
    const timer = setInterval(
      () => setShown((at) => ({ frame: at.frame + 1, seconds: Math.floor((performance.now() - begun) / 1000) })),
      tick,
    );
    return () => clearInterval(timer);
  }, [active]);
  return { frame, seconds };
}

const atStart = { frame: 0, seconds: 0 };
const tick = 125;
