import type { ClientEvent, ToolCall } from '@loopfuse/agent';
import { unhandled } from '@loopfuse/agent/events';
import { type GuardNotice, guardNotice, nextGuardState } from '@loopfuse/conversation';
import { short } from 'loopfuse/words';
import type { Facts, GuardState, HaltedLoop } from '../../protocol/index.js';
import type { HaltCard, NewItem, Remedy } from './item.js';
import { add, addCard, finish, finishCard, say, speak, streamTo } from './transcript.js';
import type { ViewState } from './view-state.js';

/** What an event of the agent does to the page. Every kind is handled: a new one does not compile until it is. */
export function onClientEvent(state: ViewState, event: ClientEvent): ViewState {
  switch (event.type) {
    case 'content':
      return speak(state, 'says', event.text);
    case 'reasoning':
      return speak(state, 'thinks', event.text);
    case 'tool-call-request': {
      const { call, title } = event;
      const card = { call, title, status: 'pending', streamed: '', output: '' } as const;
      return { ...addCard(state, card), calls: latest(state.calls, call) };
    }
    case 'tool-call-output':
      return streamTo(state, event.id, event.text);
    case 'tool-call-result': {
      const { id, tool, status, output, display } = event;
      const done = finishCard(state, id, { status, output, ...(display === undefined ? {} : { display }) });
      return status === 'failed' ? say(done, `${tool} has failed.`) : done;
    }
    case 'token-usage':
      return withFacts(state, { usage: event.total });
    case 'judge-consulted':
      return withFacts(state, event.spending === undefined ? {} : { judge: event.spending });
    case 'judge-failed':
      return withFacts(
        notify(state, `The judge was asked and gave no opinion: ${event.message}`, 'warning'),
        event.spending === undefined ? {} : { judge: event.spending },
      );
    case 'history-compressed':
      return add(state, {
        type: 'note',
        tone: 'plain',
        text: `The conversation was compressed: ${short(event.tokensBefore)} → ${short(event.tokensAfter)} tokens.`,
      });
    case 'loop-suspected':
      return guarded(suspected(state, guardNotice(event)), 'suspicious');
    case 'loop-shadowed':
      return add(state, { type: 'guard', ...guardNotice(event) });
    case 'loop-steered':
    case 'loop-rewound':
    case 'loop-escalated':
      return guarded(add(state, { type: 'guard', ...guardNotice(event) }), 'steered');
    case 'loop-detected': {
      const { type, ...report } = event;
      const told = add(finish(state), { type: 'loop', ...haltCard(report, state.calls) });
      return guarded(say(told, `Stopped by the loop guard. ${report.title}. ${report.explanation}`), 'halted');
    }
    case 'warning':
      return notify(state, event.message, 'warning');
    case 'error':
      return notify(finish(state), event.message, 'bad', remedyFor(event.status));
    case 'max-turns':
      return notify(
        finish(state),
        `Stopped after ${event.turns} turns, the most that one request may take. Say “go on” to go on.`,
        'warning',
      );
    case 'user-cancelled':
      return notify(finish(state), 'Stopped.', 'warning');
    case 'finished':
      return ended(finish(state), event.reason);
    default:
      return problem(state, unhandled(event));
  }
}

/** Something that cannot be handled is shown, and the host is told of it. */
export function problem(state: ViewState, message: string): ViewState {
  const told = add(state, { type: 'note', tone: 'bad', text: `Not shown: ${message}`, remedy: 'show-log' });
  return { ...told, problems: [...told.problems, message] };
}

/** A note that is also read out. */
export function notify(
  state: ViewState,
  text: string,
  tone: Extract<NewItem, { type: 'note' }>['tone'],
  remedy?: Remedy,
): ViewState {
  return say(add(state, { type: 'note', tone, text, ...(remedy === undefined ? {} : { remedy }) }), text);
}

export function haltCard(report: HaltedLoop, calls: readonly ToolCall[]): HaltCard {
  const tools = new Set(report.findings.flatMap((finding) => finding.tools));
  return { report, calls: calls.filter(({ tool }) => tools.has(tool)), state: 'asked' };
}

/** One line for a suspicion, however often it comes again. */
function suspected(state: ViewState, notice: GuardNotice): ViewState {
  const same = state.items.slice(-12).some((item) => {
    return item.type === 'guard' && item.what === 'suspected' && item.kind === notice.kind;
  });
  return same ? state : add(state, { type: 'guard', ...notice });
}

function ended(state: ViewState, reason: string): ViewState {
  switch (reason) {
    case 'stop':
      return state;
    case 'length':
      return notify(state, 'The answer is cut: the model may not write more in one turn.', 'warning');
    default:
      return notify(state, `The model ended its answer early (${reason}).`, 'warning');
  }
}

function remedyFor(status: number | undefined): Remedy {
  return status === 401 || status === 403 ? 'set-key' : 'show-log';
}

function withFacts(state: ViewState, facts: Partial<Facts>): ViewState {
  return state.facts === undefined ? state : { ...state, facts: { ...state.facts, ...facts } };
}

function guarded(state: ViewState, guard: GuardState): ViewState {
  return state.facts === undefined ? state : withFacts(state, { guard: nextGuardState(state.facts.guard, guard) });
}

function latest(calls: readonly ToolCall[], call: ToolCall): readonly ToolCall[] {
  return [...calls.filter(({ tool }) => tool !== call.tool), call];
}
