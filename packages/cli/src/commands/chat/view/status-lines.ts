import { costOf, type GuardState } from '@loopfuse/conversation';
import { dollars, short } from 'loopfuse/words';
import type { Colour } from '../../../terminal/paint.js';
import { type Line, type Span, span } from '../../../terminal/rich/span.js';
import type { ChatState } from '../screen/state.js';
import type { Page } from './page.js';

/** The line at the bottom: model, approval, guard, tokens, cost, what is left of the context. */
export function statusLine({ facts, conversation, quitting }: ChatState, page: Page): Line {
  if (quitting) return [span('Press Ctrl-C again to leave.', 'yellow')];
  const { model, approval, contextLimit } = facts;
  const { guard, usage, price, judge, contextTokens } = conversation;
  const cost = costOf(usage, price);
  const parts: Span[] = [
    span(page.line(model), 'dim'),
    span(`approval ${approval}`, ...(approval === 'yolo' ? (['yellow'] as const) : (['dim'] as const))),
    span(`guard ${guard}`, ...guardColours[guard]),
  ];
  if (usage.inputTokens + usage.outputTokens > 0) {
    const cached = usage.cachedTokens === 0 ? '' : ` (${short(usage.cachedTokens)} cached)`;
    parts.push(span(`${short(usage.inputTokens)} in${cached}, ${short(usage.outputTokens)} out`, 'dim'));
    if (cost !== undefined) parts.push(span(`${page.utf8 ? '≈' : '~'} ${dollars(cost)}`, 'dim'));
  }
  if (contextLimit !== undefined && contextTokens > 0) {
    const left = Math.max(0, Math.floor(100 * (1 - contextTokens / contextLimit)));
    parts.push(span(`${left}% context left`, left < 20 ? 'yellow' : 'dim'));
  }
  if (judge !== undefined && judge.calls > 0)
    parts.push(span(`judge ${judge.calls}x, ${short(judge.inputTokens + judge.outputTokens)}`, 'dim'));
  return parts.flatMap((part, k) => (k === 0 ? [part] : [span(` ${page.glyphs.dot} `, 'dim'), part]));
}

const guardColours: { readonly [State in GuardState]: readonly Colour[] } = {
  watching: ['dim'],
  suspicious: ['yellow'],
  steered: ['yellow'],
  halted: ['red'],
  off: ['red'],
};

/** What is going on, while something is. */
export function workLine({ conversation }: ChatState, seconds: number, spinner: string, page: Page): Line {
  const stopping = conversation.phase === 'stopping';
  const words = stopping ? 'Cancelling' : 'Working';
  const hint = stopping ? '' : ` ${page.glyphs.dot} Esc cancels`;
  return [span(`${spinner} `, 'cyan'), span(`${words} ${seconds} s${hint}`, 'dim')];
}
