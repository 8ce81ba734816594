import { setMaxListeners } from 'node:events';
import { type Act, type AgentEvent, assertNever, type Decision, type Halt } from 'loopfuse';
import type { Preset } from 'loopfuse/presets';
import { reportOf } from '../guard/loop-report.js';
import { estimatedTokens } from '../history/compress.js';
import type { Message, ToolCall, ToolResult } from '../history/message.js';
import { notRun } from '../history/repair.js';
import { rewound, roundsIn, triedIn } from '../history/rewind.js';
import { withNote } from '../history/with-note.js';
import type { Judge } from '../judge.js';
import type { Scheduler } from '../scheduler/scheduler.js';
import type { Display } from '../tools/tool.js';
import type { TraceEvent } from '../trace.js';
import { type Ask, nameOf, type Stronger } from './ask.js';
import type { ClientEvent } from './client-event.js';
import type { LogLevel } from './client-options.js';
import { type Compressor, tokensOf } from './compressor.js';
import { closeTurn, type OpenTurn, openTurn, type Rewind } from './open-turn.js';
import { remark } from './remark.js';
import type { Sentry } from './sentry.js';
import type { State } from './state.js';

/** The parts that a request needs. */
export interface RunParts {
  readonly state: State;
  readonly sentry: Sentry;
  readonly preset: Preset;
  readonly scheduler: Scheduler;
  readonly compressor: Compressor;
  readonly judge: Judge | undefined;
  readonly maxTurns: number;
  /** Takes one turn where the policy escalates. */
  readonly stronger: Stronger | undefined;
  readonly ask: Ask;
  titleOf(call: ToolCall): string;
  /** Saves the session. Resolves to a sentence where something went wrong. */
  save(): Promise<string | undefined>;
  /** Takes secrets out of a text. */
  mask(text: string): string;
  log(level: LogLevel, message: string, data?: unknown): void;
  trace(event: TraceEvent): void;
}

export type Events<Result = void> = AsyncGenerator<ClientEvent, Result>;

export type Steering = Extract<Act, { type: 'steer' | 'block' }>;

/** How a turn ends. */
export type TurnEnd =
  | { readonly type: 'again' } // there are results or a note that the model has not read
  | { readonly type: 'finished'; readonly reason: string }
  | { readonly type: 'halt'; readonly decision: Halt; readonly cut?: number } // `cut`: text from this event on is not kept
  | { readonly type: 'cancelled' }
  | { readonly type: 'error'; readonly error: unknown };

/** One running request: its current turn, and the functions that show, apply and store what happens in it. */
export interface Run extends RunParts {
  /** Aborted when the user cancels, and when the run is over. */
  readonly signal: AbortSignal;
  /** Begins a turn. */
  open(): OpenTurn;
  /** Whether there is a current turn. */
  readonly isOpen: boolean;
  /** Moves the current turn into the history, with a result for each call. Returns the ids of calls that were not run. */
  settle(how: 'whole' | 'interrupted', missing: string, cut?: number): readonly string[];
  /** Shows an event to the guard, and its suspicions to the user. */
  check(event: AgentEvent): Events<Decision>;
  /** Carries out a decision where no stream has to be cut off: adds a note for the model, or ends the turn. */
  apply(decision: Decision): Events<TurnEnd | undefined>;
  /** Removes the rounds that a decision names: now, or when the current turn is in the history (see `rewindDue`). */
  rewind(decision: Rewind): Events;
  /** Carries out a rewind that was postponed. */
  rewindDue(): Events;
  /** The stronger model, where it takes the turn that begins. Each escalation gives it one turn. */
  takeStronger(): Stronger | undefined;
  /** Adds a note for the model at the end of the history. For a blocked call the result is the note. */
  steer(decision: Steering, blocked?: string): Events;
  /** Stores a result and shows it. */
  give(result: ToolResult, display?: Display): Events;
  /** Saves the session. A repeated failure is shown once. */
  saved(): Events;
  /** Ends the run: aborts everything that is still running. */
  close(): void;
}

export function startRun(parts: RunParts, signal: AbortSignal): Run {
  const { state, sentry } = parts;
  const stop = new AbortController();
  setMaxListeners(0, stop.signal); // every call of a turn listens
  const onAbort = () => stop.abort(signal.reason);
  if (signal.aborted) onAbort();
  else signal.addEventListener('abort', onAbort, { once: true });
  let due: Rewind | undefined; // of the turn that was settled last
  let stronger: Stronger | undefined; // takes the next turn
  const shown = new Set<string>(); // steps of the shadow policy that were shown
  let unsaved: string | undefined; // why the last save failed; shown once, though every step is saved

  async function* steer(decision: Steering, blocked?: string): Events {
    const { message } = decision;
    if (blocked === undefined) {
      if (state.turn) state.turn.notes.push(message);
      else state.history = withNote(state.history, message);
    }
    const report = reportOf(sentry.guard, decision);
    sentry.check({ type: 'steer', text: message });
    parts.log('info', `The model was told about a loop: ${message}`);
    parts.trace({ type: 'loop-steered', promptId: state.promptId ?? '', report });
    yield remark(state, { type: 'loop-steered', message, ...(blocked === undefined ? {} : { blocked }), ...report });
  }

  async function* rewind(decision: Rewind): Events {
    if (state.turn) {
      state.turn.rewind = decision;
      return;
    }
    const { from, findings } = decision;
    const changed = rewound(state.history, { id: `rewind-${findings[0].seq}`, from, note: decision.note });
    if (changed === undefined) {
      parts.log('info', 'There is nothing to remove from the context of the model yet; the model continues.');
      return;
    }
    const { history, takenOut, note } = changed;
    state.history = history;
    state.context = { tokens: 0, messages: 0 };
    sentry.check({ type: 'steer', text: note });
    const report = reportOf(sentry.guard, decision);
    const { id, messages } = takenOut;
    const what = { rounds: roundsIn(messages), tokens: estimatedTokens(messages), tried: triedIn(messages) };
    parts.log('info', `Rounds were taken out of the context of the model (${what.rounds}): ${note}`);
    parts.trace({ type: 'loop-steered', promptId: state.promptId ?? '', report });
    yield remark(state, { type: 'loop-rewound', id, note, ...what, ...report });
  }

  async function* escalate(decision: Extract<Act, { type: 'escalate' }>): Events {
    if (parts.stronger === undefined) {
      parts.log('warn', 'A stronger model should take the next turn, but none is set; the same model continues.');
      return;
    }
    stronger = parts.stronger;
    const report = reportOf(sentry.guard, decision);
    const to = nameOf(stronger.model);
    parts.log('info', `${to.model} takes the next turn, because of a loop.`);
    parts.trace({ type: 'loop-steered', promptId: state.promptId ?? '', report });
    yield remark(state, { type: 'loop-escalated', to, ...report });
  }

  /** Shown once for each step that would have been taken about a loop. */
  async function* shadowed(would: Act): Events {
    const key = `${would.findings[0].episode} ${would.type}`;
    if (shown.has(key)) return;
    shown.add(key);
    const report = reportOf(sentry.guard, would);
    parts.log('info', `Shadow policy: the decision would have been ${would.type}. ${report.explanation}`);
    yield remark(state, { type: 'loop-shadowed', ...report });
  }

  return {
    ...parts,
    rewind,
    async *rewindDue() {
      const decision = due;
      due = undefined;
      if (decision) yield* rewind(decision);
    },
    takeStronger() {
      const taken = stronger;
      stronger = undefined;
      return taken;
    },
    signal: stop.signal,
    open() {
      state.turn = openTurn(state.history, tokensOf(state), sentry.seq + 1);
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
      state.history = turn.notes.reduce<readonly Message[]>(withNote, closed.history);
      due = turn.rewind;
      state.turn = undefined;
      return closed.dropped;
    },
    async *check(event) {
      const decision = sentry.check(event);
      for (const finding of sentry.takeSuspicions())
        yield remark(state, { type: 'loop-suspected', finding, explanation: sentry.guard.explain(finding) });
      return decision;
    },
    async *apply(decision) {
      switch (decision.type) {
        case 'allow':
          if (decision.would !== undefined) yield* shadowed(decision.would);
          return undefined;
        case 'steer':
        case 'block':
          yield* steer(decision);
          return undefined;
        case 'rewind':
          yield* rewind(decision);
          return undefined;
        case 'escalate':
          yield* escalate(decision);
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
      const shown = display === undefined ? result : { ...result, display };
      state.turn?.results.set(result.id, shown);
      yield { type: 'tool-call-result', ...shown };
    },
    async *saved() {
      const problem = await parts.save();
      if (problem === undefined || problem === unsaved) return;
      unsaved = problem;
      yield remark(state, { type: 'warning', message: problem });
    },
    close() {
      signal.removeEventListener('abort', onAbort);
      stop.abort();
    },
  };
}
