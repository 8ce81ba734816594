import type { ApprovalRequest, AttachmentName, ClientEvent, Display, LoopAnswered, ToolCall } from '@loopfuse/agent';
import { unhandled } from '@loopfuse/agent/events';
import type { Choice } from 'loopfuse';
import { messageOf } from 'loopfuse/words';
import type { Conversation, Known } from './conversation.js';
import { openLoop } from './conversation.js';
import { costOf, costOfLoop, paidBy } from './cost.js';
import { endInWords, eventInWords } from './event-words.js';
import { type GuardNotice, guardNotice } from './guard-notice.js';
import { type GuardState, nextGuardState } from './guard-state.js';
import { type Item, type ItemOf, note, type Row, type Tone } from './item.js';
import {
  changeOpenLoop,
  finish,
  finishCard,
  push,
  pushAbove,
  pushAside,
  type Scroll,
  speak,
  streamTo,
} from './scroll.js';

/** Events of the user interface, in addition to those of the agent. */
export type FaceEvent =
  /** A request begins. `text` is the message of the user; absent when an earlier request continues. */
  | {
      readonly type: 'started';
      readonly text?: string | undefined;
      readonly attached?: readonly AttachmentName[] | undefined;
    }
  /** Something other than a request is running. */
  | { readonly type: 'busy' }
  /** The user wants it to stop. */
  | { readonly type: 'stopping' }
  /** Nothing is running any more, however it ended. */
  | { readonly type: 'settled' }
  | { readonly type: 'approval'; readonly id: number; readonly request: ApprovalRequest }
  /** It was answered, or the answer is no longer needed. */
  | { readonly type: 'approval-gone'; readonly id: number }
  /** The user has chosen, and the choice is not applied yet. */
  | { readonly type: 'loop-choice'; readonly choice: Choice; readonly hint?: string | undefined }
  /** The choice could not be applied: the card asks again. */
  | { readonly type: 'loop-choice-failed' }
  | LoopAnswered
  /** The user typed something that is not for the model. */
  | { readonly type: 'typed'; readonly text: string }
  | { readonly type: 'note'; readonly text: string; readonly tone: Tone }
  | { readonly type: 'list'; readonly rows: readonly Row[] }
  | { readonly type: 'display'; readonly display: Display }
  | { readonly type: 'known'; readonly known: Known };

/**
 * The conversation after an event. Pure, and total: an event that cannot be read becomes a note, and the next event
 * is handled normally. Every type is handled: a new type does not compile until it is.
 */
export function reduce(conversation: Conversation, event: ClientEvent | FaceEvent): Conversation {
  try {
    return onEvent(conversation, event);
  } catch (fault) {
    return notShown(conversation, `an event ${JSON.stringify(event?.type)} could not be read: ${messageOf(fault)}`);
  }
}

/** Reports something that could not be shown. */
export function notShown(conversation: Conversation, why: string): Conversation {
  return shows(conversation, push(conversation, note(why, 'bad', 'fault')));
}

function onEvent(state: Conversation, event: ClientEvent | FaceEvent): Conversation {
  switch (event.type) {
    case 'content':
      return shows(state, speak(state, 'says', event.text));
    case 'reasoning':
      return shows(state, speak(state, 'thinks', event.text));
    case 'tool-call-request': {
      const { call, title } = event;
      const number = callsIn(state) + 1;
      const card = { type: 'tool', number, call, title, status: 'pending', streamed: '', output: '' } as const;
      return { ...shows(state, push(state, card)), calls: latest(state.calls, call) };
    }
    case 'tool-call-output':
      return shows(state, streamTo(state, event.id, event.text));
    case 'tool-call-result': {
      const { type, id, tool, ...result } = event;
      const output = result.status === 'not-run' ? '' : result.output; // words for the model, not an outcome
      return shows(state, finishCard(state, id, { ...result, output }));
    }
    case 'token-usage': {
      const { usage, total, estimated, by } = event;
      const contextTokens =
        estimated === undefined && by === undefined ? usage.inputTokens + usage.outputTokens : state.contextTokens;
      return { ...state, usage: total, contextTokens };
    }
    case 'judge-consulted':
      return event.spending === undefined ? state : { ...state, judge: event.spending };
    case 'judge-failed': {
      const noted = shows(state, push(state, note(eventInWords(event), 'warning')));
      return event.spending === undefined ? noted : { ...noted, judge: event.spending };
    }
    case 'history-compressed':
      return { ...shows(state, push(state, note(eventInWords(event)))), contextTokens: event.tokensAfter };
    case 'loop-suspected':
      return guarded(shows(state, suspected(state, guardNotice(event))), 'suspicious');
    case 'loop-shadowed':
      return shows(state, pushAside(state, { type: 'guard', ...guardNotice(event) }));
    case 'loop-steered':
    case 'loop-rewound':
    case 'loop-escalated':
      return guarded(shows(state, push(state, { type: 'guard', ...guardNotice(event) })), 'steered');
    case 'loop-detected': {
      const { type, ...report } = event;
      const settled = finish(changeOpenLoop(state, (card) => ({ ...card, state: 'answered' })));
      return guarded(shows(state, push(settled, loopCard(state, report))), 'halted');
    }
    case 'warning':
      return shows(state, push(state, note(eventInWords(event), 'warning')));
    case 'error': {
      const about = event.status === 401 || event.status === 403 ? 'key' : 'request';
      return shows(state, push(finish(state), note(eventInWords(event), 'bad', about)));
    }
    case 'max-turns':
    case 'user-cancelled':
      return shows(state, push(finish(state), note(eventInWords(event), 'warning')));
    case 'finished': {
      const done = finish(state);
      const words = endInWords(event.reason, endsInWords(done));
      return shows(state, words === undefined ? done : push(done, note(words, 'warning')));
    }
    case 'started':
      return started(state, event);
    case 'busy':
      return { ...state, phase: 'working' };
    case 'stopping':
      return state.phase === 'working' ? { ...state, phase: 'stopping' } : state;
    case 'settled':
      return { ...shows(state, finish(state)), phase: 'idle', approvals: [] };
    case 'approval': {
      const { id, request } = event;
      return { ...state, approvals: [...state.approvals.filter((one) => one.id !== id), { id, request }] };
    }
    case 'approval-gone':
      return { ...state, approvals: state.approvals.filter(({ id }) => id !== event.id) };
    case 'loop-choice': {
      const { choice, hint } = event;
      return shows(
        state,
        changeOpenLoop(state, (card) => {
          return { ...card, state: 'sent', choice, ...(hint === undefined ? {} : { hint }) };
        }),
      );
    }
    case 'loop-choice-failed':
      return shows(
        state,
        changeOpenLoop(state, ({ choice, hint, ...card }) => ({ ...card, state: 'asked' })),
      );
    case 'loop-answered':
      return answered(state, event.choice, event.hint);
    case 'typed':
      return shows(state, push(state, { type: 'you', text: event.text }));
    case 'note':
      return shows(state, push(state, note(event.text, event.tone)));
    case 'list':
      return shows(state, push(state, event));
    case 'display':
      return shows(state, pushAbove(state, event));
    case 'known':
      return known(state, event.known);
    default:
      return notShown(state, unhandled(event));
  }
}

function shows(state: Conversation, { items, live }: Scroll): Conversation {
  return { ...state, items, live };
}

function guarded(state: Conversation, guard: GuardState): Conversation {
  return { ...state, guard: nextGuardState(state.guard, guard) };
}

/** A request begins, and the guard starts anew. Sending another message is a decision about an open loop. */
function started(state: Conversation, { text, attached = [] }: Extract<FaceEvent, { type: 'started' }>): Conversation {
  const asked = openLoop(state);
  const settled =
    asked === undefined ? state : answered(state, asked.choice ?? (text === undefined ? 'continue' : 'stop'));
  const scroll = finish(settled);
  const begun: Conversation = {
    ...guarded(
      shows(
        settled,
        text === undefined
          ? scroll
          : push(scroll, { type: 'you', text, ...(attached.length === 0 ? {} : { attached }) }),
      ),
      'watching',
    ),
    phase: 'working',
    calls: [],
    approvals: [],
  };
  return text === undefined ? begun : { ...begun, sent: [...begun.sent, text] };
}

function answered(state: Conversation, choice: Choice, hint?: string): Conversation {
  const settled = shows(
    state,
    changeOpenLoop(state, (card) => ({ ...card, state: 'answered', choice, ...(hint === undefined ? {} : { hint }) })),
  );
  return choice === 'disable' ? { ...settled, guard: 'off' } : guarded(settled, 'watching');
}

function known(state: Conversation, facts: Known): Conversation {
  const now = { ...state, ...facts };
  return { ...now, paid: paidBy(state, now) };
}

function loopCard({ calls, usage, price, paid }: Conversation, report: ItemOf<'loop'>['report']): ItemOf<'loop'> {
  const tools = new Set(report.findings.flatMap((finding) => finding.tools));
  const used = report.usage ?? usage;
  const cost = costOfLoop(report.waste, used, costOf({ usage: used, price, paid }));
  return {
    type: 'loop',
    report,
    calls: calls.filter(({ tool }) => tools.has(tool)),
    ...(cost === undefined ? {} : { cost }),
    state: 'asked',
  };
}

/** One line for a suspicion, also when it is repeated. */
function suspected(state: Conversation, notice: GuardNotice): Scroll {
  const recent = [...state.items.slice(-12), ...state.live].slice(-12);
  const same = recent.some((item) => item.type === 'guard' && item.what === 'suspected' && item.kind === notice.kind);
  return same ? state : pushAside(state, { type: 'guard', ...notice });
}

/** Whether the conversation ends with text of the model. */
function endsInWords({ items, live }: Scroll): boolean {
  const isStep = ({ type }: Item) => type !== 'note' && type !== 'guard' && type !== 'list' && type !== 'display';
  return (live.findLast(isStep) ?? items.findLast(isStep))?.type === 'says';
}

function callsIn({ items, live }: Scroll): number {
  const isCall = (item: Item) => item.type === 'tool';
  const last = live.findLast(isCall) ?? items.findLast(isCall);
  return last?.type === 'tool' ? last.number : 0;
}

function latest(calls: readonly ToolCall[], call: ToolCall): readonly ToolCall[] {
  return [...calls.filter(({ tool }) => tool !== call.tool), call];
}
