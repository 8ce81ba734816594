import { costOf, type GuardState } from '@loopfuse/conversation';
import { dollars, short } from 'loopfuse/words';
import type { Colour } from '../../../terminal/paint.js';
import { type Line, lineText, type Span, span } from '../../../terminal/rich/span.js';
import { widthOf } from '../../../terminal/width.js';
import type { ChatState } from '../screen/state.js';
import type { Page } from './page.js';

/**
 * The line at the bottom: model, approval, guard, tokens, cost, what is left of the context. If not all of it
 * fits, the least important parts are left out.
 */
export function statusLine({ facts, conversation, quitting }: ChatState, page: Page): Line {
  if (quitting) return [span('Press Ctrl-C again to leave.', 'yellow')];
  const { model, approval, contextLimit } = facts;
  const { guard, usage, judge, contextTokens } = conversation;
  const parts: Part[] = [
    { span: span(page.line(model), 'dim') },
    { span: span(`approval ${approval}`, approval === 'yolo' ? 'yellow' : 'dim') },
    { span: span(`guard ${guard}`, ...guardColours[guard]) },
  ];
  if (usage.inputTokens + usage.outputTokens > 0) {
    const cost = costOf(conversation);
    const cached = usage.cachedTokens === 0 ? '' : ` (${short(usage.cachedTokens)} cached)`;
    parts.push({
      span: span(`${short(usage.inputTokens)} in${cached}, ${short(usage.outputTokens)} out`, 'dim'),
      leftOut: 2,
    });
    if (cost !== undefined) parts.push({ span: span(`${page.utf8 ? '≈' : '~'} ${dollars(cost)}`, 'dim'), leftOut: 4 });
  }
  if (contextLimit !== undefined && contextTokens > 0) {
    const left = Math.max(0, Math.floor(100 * (1 - contextTokens / contextLimit)));
    parts.push({ span: span(`${left}% context left`, left < 20 ? 'yellow' : 'dim'), leftOut: 3 });
  }
  if (judge !== undefined && judge.calls > 0)
    parts.push({
      span: span(`judge ${judge.calls}x, ${short(judge.inputTokens + judge.outputTokens)}`, 'dim'),
      leftOut: 1,
    });
  return inRow(parts, page);
}

interface Part {
  readonly span: Span;
  /** Parts with the lowest number are left out first; those without one never. */
  readonly leftOut?: number;
}

function inRow(parts: readonly Part[], page: Page): Line {
  const dot = span(` ${page.glyphs.dot} `, 'dim');
  const row = parts.flatMap((part, k) => (k === 0 ? [part.span] : [dot, part.span]));
  const least = Math.min(...parts.map(({ leftOut = Number.POSITIVE_INFINITY }) => leftOut));
  if (widthOf(lineText(row)) <= page.columns || least === Number.POSITIVE_INFINITY) return row;
  return inRow(
    parts.filter(({ leftOut }) => leftOut !== least),
    page,
  );
}

const guardColours: { readonly [State in GuardState]: readonly Colour[] } = {
  watching: ['dim'],
  suspicious: ['yellow'],
  steered: ['yellow'],
  halted: ['red'],
  off: ['red'],
};

/** The progress of the work. */
export function workLine({ conversation }: ChatState, seconds: number, spinner: string, page: Page): Line {
  const stopping = conversation.phase === 'stopping';
  const words = stopping ? 'Cancelling' : 'Working';
  const hint = stopping ? '' : ` ${page.glyphs.dot} Esc cancels`;
  return [span(`${spinner} `, 'cyan'), span(`${words} ${seconds} s${hint}`, 'dim')];
}
