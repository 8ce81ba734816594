import { setMaxListeners } from 'node:events';
import { type Act, type AgentEvent, assertNever, type Decision, type Halt } from 'loopfuse';
import type { Preset } from 'loopfuse/presets';
import { reportOf } from '../guard/loop-report.js';
import type { Message, ToolCall, ToolResult } from '../history/message.js';
import { notRun } from '../history/repair.js';
import { told } from '../history/told.js';
import type { Judge } from '../judge.js';
import type { Scheduler } from '../scheduler/scheduler.js';
import type { Display } from '../tools/tool.js';
import type { TraceEvent } from '../trace.js';
import type { Ask } from './ask.js';
import type { ClientEvent } from './client-event.js';
import type { LogLevel } from './client-options.js';
import { type Compressor, tokensOf } from './compressor.js';
import { closeTurn, type OpenTurn, openTurn } from './open-turn.js';
import type { Sentry } from './sentry.js';
import type { State } from './state.js';

/** What a request is worked on with. */
export interface RunParts {
  readonly state: State;
  readonly sentry: Sentry;
  readonly preset: Preset;
  readonly scheduler: Scheduler;
  readonly compressor: Compressor;
  readonly judge: Judge | undefined;
  readonly maxTurns: number;
  readonly ask: Ask;
  titleOf(call: ToolCall): string;
  /** Saves the session. What goes wrong is told in a sentence. */
  save(): Promise<string | undefined>;
  /** Takes secrets out of a text. */
  mask(text: string): string;
  log(level: LogLevel, message: string, data?: unknown): void;
  trace(event: TraceEvent): void;
}

export type Events<Result = void> = AsyncGenerator<ClientEvent, Result>;

export type Steering = Extract<Act, { type: 'steer' | 'block' | 'rewind' }>;

/** How a turn ends. */
export type TurnEnd =
  | { readonly type: 'again' } // the model has results to look at, or a note
  | { readonly type: 'finished'; readonly reason: string }
  | { readonly type: 'halt'; readonly decision: Halt; readonly cut?: number } // `cut`: the event from which on the words are not kept
  | { readonly type: 'cancelled' }
  | { readonly type: 'error'; readonly error: unknown };

/** One request being worked on: the turn under way, and the ways to show, tell and keep what happens in it. */
export interface Run extends RunParts {
  /** Aborted when the user cancels, and when the run is over. */
  readonly signal: AbortSignal;
  /** Begins a turn. */
  open(): OpenTurn;
  /** Whether a turn is under way. */
  readonly isOpen: boolean;
  /** Puts the turn under way into the history, with results for all its calls; gives the ids of those that have none. */
  settle(how: 'whole' | 'interrupted', missing: string, cut?: number): readonly string[];
  /** Shows an event to the guard, and its suspicions to the user. */
  check(event: AgentEvent): Events<Decision>;
  /** Does what a decision says where no stream has to be broken off: tells the model, or ends the turn. */
  heed(decision: Decision): Events<TurnEnd | undefined>;
  /** Tells the model at the end of the history or, for a call that is blocked, by its result. */
  steer(decision: Steering, blocked?: string): Events;
  /** Keeps a result and shows it. */
  give(result: ToolResult, display?: Display): Events;
  saved(): Events;
  /** The end: everything is dropped that is still going on. */
  close(): void;
}

export function startRun(parts: RunParts, signal: AbortSignal): Run {
  const { state, sentry } = parts;
  const stop = new AbortController();
  setMaxListeners(0, stop.signal); // every call of a turn listens
  const onAbort = () => stop.abort(signal.reason);
  if (signal.aborted) onAbort();
  else signal.addEventListener('abort', onAbort, { once: true });

  async function* steer(decision: Steering, blocked?: string): Events {
    const message = decision.type === 'rewind' ? decision.note : decision.message;
    if (blocked === undefined) {
      if (state.turn) state.turn.notes.push(message);
      else state.history = told(state.history, message);
    }
    const report = reportOf(sentry.guard, decision);
    sentry.check({ type: 'steer', text: message });
    parts.log('info', `The model was told about a loop: ${message}`);
    parts.trace({ type: 'loop-steered', promptId: state.promptId ?? '', report });
    yield { type: 'loop-steered', message, ...(blocked === undefined ? {} : { blocked }), ...report };
  }

  return {
    ...parts,
    signal: stop.signal,
    open() {
      state.turn = openTurn(state.history, tokensOf(state));
      return state.turn;
    },
    get isOpen() {
      return state.turn !== undefined;
    },
    settle(how, missing, cut) {
      const { turn } = state;
      if (turn === undefined) return [];
      const closed = closeTurn(state.history, turn, {
        how,
        missing: { output: notRun(missing), status: 'not-run' },
        cut,
      });
      state.history = turn.notes.reduce<readonly Message[]>(told, closed.history);
      state.turn = undefined;
      return closed.dropped;
    },
    async *check(event) {
      const decision = sentry.check(event);
      for (const finding of sentry.takeSuspicions())
        yield { type: 'loop-suspected', finding, explanation: sentry.guard.explain(finding) };
      return decision;
    },
    async *heed(decision) {
      switch (decision.type) {
        case 'allow':
          return undefined;
        case 'steer':
        case 'block':
        case 'rewind':
          yield* steer(decision);
          return undefined;
        case 'escalate':
          parts.log('warn', 'No stronger model is set; the model goes on.');
          return undefined;
        case 'ask':
        case 'stop':
          return { type: 'halt', decision };
        default:
          return assertNever(decision, 'the agent');
      }
    },
    steer,
    async *give(result, display) {
      state.turn?.results.set(result.id, result);
      yield { type: 'tool-call-result', ...result, ...(display === undefined ? {} : { display }) };
    },
    async *saved() {
      const problem = await parts.save();
      if (problem !== undefined) yield { type: 'warning', message: problem };
    },
    close() {
      signal.removeEventListener('abort', onAbort);
      stop.abort();
    },
  };
}
