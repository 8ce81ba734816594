import { type ClientEvent, type ToolCall, unhandled } from '@loopfuse/agent';
import { costAt } from '@loopfuse/prices';
import { short } from '../../../terminal/numbers.js';
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
    case 'loop-steered': {
      const { title, explanation, waste, blocked } = event;
      const what = blocked === undefined ? 'told' : 'refused';
      return guarded({ ...state, ...add(state, { type: 'loop', what, title, explanation, waste }) }, 'steered');
    }
    case 'loop-detected': {
      const { type, ...report } = event;
      const cost = costOfLoop(state.facts, report.waste.tokens);
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

/** Off is off, whatever happens. */
function guarded(state: ChatState, guard: GuardState): ChatState {
  return state.facts.guard === 'off' ? state : withFacts(state, { guard });
}

function latest(calls: readonly ToolCall[], call: ToolCall): readonly ToolCall[] {
  return [...calls.filter(({ tool }) => tool !== call.tool), call];
}

/** At what a token has cost in this session on average. */
function costOfLoop({ price, usage }: Facts, tokens: number): number | undefined {
  const all = usage.inputTokens + usage.outputTokens;
  return price === undefined || all === 0 || tokens === 0 ? undefined : (costAt(price, usage) * tokens) / all;
}
