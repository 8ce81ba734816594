import { type ClientEvent, type ToolCall, unhandled } from '@loopfuse/agent';
import { costOf, costOfLoop, guardNotice, nextGuardState } from '@loopfuse/conversation';
import { short } from 'loopfuse/words';
import { note } from './item.js';
import { add, addCard, finish, finishCard, say, streamTo, think } from './live.js';
import { openLoopDialog } from './loop-dialog.js';
import type { ChatState, Facts, GuardState } from './state.js';

/** What an event of the agent does to the screen. Every kind is handled: a new one does not compile until it is. */
export function onClientEvent(state: ChatState, event: ClientEvent): ChatState {
  switch (event.type) {
    case 'content':
      return { ...state, ...say(state, event.text) };
    case 'reasoning':
      return { ...state, ...think(state, event.text, state.full) };
    case 'tool-call-request': {
      const card = { call: event.call, title: event.title, status: 'pending', streamed: '', output: '' } as const;
      return { ...state, ...addCard(state, card), calls: latest(state.calls, event.call) };
    }
    case 'tool-call-output':
      return { ...state, ...streamTo(state, event.id, event.text) };
    case 'tool-call-result': {
      const { id, status, output, display } = event;
      return { ...state, ...finishCard(state, id, { status, output, ...(display === undefined ? {} : { display }) }) };
    }
    case 'token-usage':
      return withFacts(state, { usage: event.total });
    case 'judge-consulted':
      return withFacts(state, event.spending === undefined ? {} : { judge: event.spending });
    case 'judge-failed':
      return withFacts(
        { ...state, ...add(state, note(`The judge was asked and gave no opinion: ${event.message}`, 'warning')) },
        event.spending === undefined ? {} : { judge: event.spending },
      );
    case 'history-compressed':
      return {
        ...state,
        ...add(
          state,
          note(`The conversation was compressed: ${short(event.tokensBefore)} → ${short(event.tokensAfter)} tokens.`),
        ),
      };
    case 'loop-suspected':
      return guarded(state, 'suspicious');
    case 'loop-shadowed':
      return { ...state, ...add(state, { type: 'guard', ...guardNotice(event) }) };
    case 'loop-steered':
    case 'loop-rewound':
    case 'loop-escalated':
      return guarded({ ...state, ...add(state, { type: 'guard', ...guardNotice(event) }) }, 'steered');
    case 'loop-detected': {
      const { type, ...report } = event;
      const { usage, price } = state.facts;
      const cost = costOfLoop(report.waste, usage, costOf(usage, price));
      const known = { calls: state.calls, ...(cost === undefined ? {} : { cost }) };
      return { ...guarded({ ...state, ...finish(state) }, 'halted'), dialog: openLoopDialog(report, known) };
    }
    case 'warning':
      return { ...state, ...add(state, note(event.message, 'warning')) };
    case 'error':
      return { ...state, ...add(state, note(event.message, 'bad')) };
    case 'max-turns':
      return {
        ...state,
        ...add(
          state,
          note(
            `Stopped after ${event.turns} turns, the most that one request may take. Say “go on” to go on.`,
            'warning',
          ),
        ),
      };
    case 'user-cancelled':
      return { ...state, ...add(state, note('Cancelled.', 'warning')) };
    case 'finished':
      return withEnd(state, event.reason);
    default:
      return { ...state, ...add(state, note(unhandled(event), 'bad')) };
  }
}

function withEnd(state: ChatState, reason: string): ChatState {
  const done = { ...state, ...finish(state) };
  switch (reason) {
    case 'stop':
      return done;
    case 'length':
      return { ...done, ...add(done, note('The answer is cut: the model may not write more in one turn.', 'warning')) };
    default:
      return { ...done, ...add(done, note(`The model ended its answer early (${reason}).`, 'warning')) };
  }
}

export function withFacts(state: ChatState, facts: Partial<Facts>): ChatState {
  return { ...state, facts: { ...state.facts, ...facts } };
}

function guarded(state: ChatState, guard: GuardState): ChatState {
  return withFacts(state, { guard: nextGuardState(state.facts.guard, guard) });
}

function latest(calls: readonly ToolCall[], call: ToolCall): readonly ToolCall[] {
  return [...calls.filter(({ tool }) => tool !== call.tool), call];
}
