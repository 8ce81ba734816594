import { randomUUID } from 'node:crypto';
import type { LanguageModel } from 'ai';
import type { Choice, Detector, Guard, Release } from 'loopfuse';
import { type HaltReport, releasesFor } from '../guard/loop-report.js';
import type { UserRequest } from '../history/attachment.js';
import { withoutLastRequest } from '../history/last-request.js';
import type { Message, TakenOut } from '../history/message.js';
import { goOn } from '../history/model-messages.js';
import { withoutLast } from '../history/remarks.js';
import { restored, takenOutOf } from '../history/rewind.js';
import type { Judge } from '../judge.js';
import type { ApprovalMode } from '../scheduler/approval.js';
import { type Session, titleIn } from '../session/session.js';
import type { PromptOutcome } from '../trace.js';
import type { Usage } from '../turn/draft.js';
import type { ProviderOptions } from '../turn/stream-turn.js';
import { agentLoop } from './agent-loop.js';
import type { ClientEvent } from './client-event.js';
import type { ClientOptions } from './client-options.js';
import { createClientParts } from './client-parts.js';
import { tokensOf } from './compressor.js';
import { remark } from './remark.js';

/** An agent in a workspace: one conversation, one request at a time. */
export interface Client {
  /** Changes when another process has continued the session: then this conversation continues under a new id. */
  readonly sessionId: string;
  readonly history: readonly Message[];
  /** For reading its state and its exemptions. Release it through the client. */
  readonly guard: Guard;
  /** The detectors of the guard. They do not run while the guard is switched off. */
  readonly detectors: readonly Detector[];
  /** Of the session. */
  readonly usage: Usage;
  /** The names of the model in use and its provider. */
  readonly model: { readonly provider: string; readonly model: string };
  /** The size of the history in tokens, partly estimated, and the size of the model's context. */
  readonly context: { readonly tokens: number; readonly limit: number };
  /** The loop that halted the request, until the user has decided about it. */
  readonly halted: HaltReport | undefined;
  readonly busy: boolean;
  /** The judge, if there is one: its name, its schedule and what it has cost. */
  readonly judge: Pick<Judge, 'name' | 'schedule' | 'spending' | 'failure'> | undefined;
  approval: ApprovalMode;
  /**
   * Works on a message of the user. The last event says how it ended, and then everything is saved. Requests with the
   * same prompt id are one request to the loop guard. Aborting the signal cancels the request, and so does leaving the
   * loop over the events. Throws only while another request is running.
   */
  sendMessageStream(
    request: string | UserRequest,
    signal?: AbortSignal,
    promptId?: string,
  ): AsyncGenerator<ClientEvent, void>;
  /**
   * Applies the user's choice about the loop that halted the request: releases the guard and stores the choice with the
   * session. Then continue the request with `continue`, unless the choice is to stop. False where no loop waits for a
   * choice.
   */
  decide(choice: Choice, hint?: string): boolean;
  /** Releases the guard without a choice about a loop. */
  release(how: Release): void;
  /** Continues the last request, with a hint of the user if there is one. Releases the guard if it is still open. */
  continue(signal?: AbortSignal, hint?: string): AsyncGenerator<ClientEvent, void>;
  /** Notes what the user did outside the conversation. The model reads it with the next message; users see it as a note. */
  tell(text: string): void;
  /**
   * Removes the last message of the user and everything after it from the history, and returns the message, so that it can
   * be sent again. `undefined` where it is no longer in the history. Throws while a request is running.
   */
  takeBack(): UserRequest | undefined;
  /** Puts rounds back that a rewind removed from the model's context. False where they are no longer stored. */
  restore(id: string): boolean;
  /** What rewinds removed and can be put back, the oldest first. */
  readonly takenOut: readonly TakenOut[];
  /** Replaces the older part of the history by a summary now. */
  compress(signal?: AbortSignal): AsyncGenerator<ClientEvent, void>;
  setModel(model: LanguageModel, providerOptions?: ProviderOptions): void;
  /** What a session file holds. */
  session(): Session;
  save(): Promise<void>;
}

export function createClient(options: ClientOptions): Client {
  const { run, approvals, detectors, contextTokens, sessionId, session, save } = createClientParts(options);
  const { state, sentry, ask, log, trace, save: trySave } = run;
  let busy = false;

  /** Works on the request at the end of the history. Every request begins and ends here. */
  async function* work(signal: AbortSignal): AsyncGenerator<ClientEvent, void> {
    const promptId = state.promptId ?? '';
    let outcome: PromptOutcome = 'left';
    trace({ type: 'prompt-start', promptId, sessionId: sessionId() });
    try {
      outcome = yield* agentLoop(run, signal);
    } finally {
      trace({ type: 'prompt-end', promptId, outcome });
    }
  }

  function release(how: Release): void {
    sentry.guard.release(how);
    // The user says that it is not a loop, so the model must not read that it was one.
    if (state.halted !== undefined && (how.type === 'exempt' || how.type === 'disable'))
      state.history = withoutFeedback(state.history);
    state.halted = undefined;
    if (how.type !== 'disable') return;
    log('info', 'Loop detection is switched off for this session.');
    trace({ type: 'detection-disabled', promptId: state.promptId ?? '' });
  }

  async function* alone(begin: () => AsyncGenerator<ClientEvent, void>): AsyncGenerator<ClientEvent, void> {
    if (busy) throw new Error('The client is working on another request. Wait for its end, or cancel it.');
    busy = true;
    try {
      yield* begin();
    } finally {
      busy = false;
    }
  }

  return {
    get sessionId() {
      return sessionId();
    },
    get history() {
      return state.history;
    },
    guard: sentry.guard,
    detectors,
    get usage() {
      return state.usage;
    },
    get model() {
      return ask.name;
    },
    get context() {
      return { tokens: tokensOf(state), limit: contextTokens };
    },
    get halted() {
      return state.halted;
    },
    get busy() {
      return busy;
    },
    judge: options.judge,
    get approval() {
      return approvals.mode;
    },
    set approval(mode) {
      approvals.mode = mode;
    },
    sendMessageStream: (message, signal = never, promptId = randomUUID()) =>
      alone(() => {
        const { text: request, attachments = [] } = typeof message === 'string' ? { text: message } : message;
        if (request.trim() === '') return only({ type: 'error', message: 'The message is empty.' });
        if (promptId !== state.promptId) {
          state.promptId = promptId;
          state.request = request;
          state.turns = 0;
          state.halted = undefined;
          sentry.check({ type: 'prompt', id: promptId, text: request });
        }
        if (state.title === '') state.title = titleIn(request);
        const attached = attachments.length === 0 ? {} : { attachments };
        state.history = [...state.history, { role: 'user', from: 'user', text: request, ...attached }];
        return work(signal);
      }),
    decide(choice, hint = '') {
      const { halted } = state;
      if (halted === undefined) return false;
      for (const how of releasesFor(choice, halted)) release(how);
      state.halted = undefined;
      remark(state, { type: 'loop-answered', choice, ...(hint === '' ? {} : { hint }) });
      return true;
    },
    release,
    continue: (signal = never, hint = '') =>
      alone(() => {
        if (state.promptId === undefined) throw new Error('There is no request to go on with.');
        if (sentry.guard.circuit.state === 'open') sentry.guard.release({ type: hint === '' ? 'continue' : 'hint' });
        state.halted = undefined;
        state.history = [
          ...state.history,
          hint === '' ? { role: 'user', from: 'agent', text: goOn } : { role: 'user', from: 'user', text: hint },
        ];
        return work(signal);
      }),
    tell(text) {
      state.history = [...state.history, { role: 'user', from: 'face', text }];
    },
    takeBack() {
      if (busy) throw new Error(stillBusy);
      const taken = withoutLastRequest(state.history);
      if (taken === undefined) return undefined;
      state.history = taken.history;
      state.halted = undefined;
      state.context = { tokens: 0, messages: 0 };
      log('info', 'The last message and its answer were taken out of the history.');
      return taken.request;
    },
    restore(id) {
      if (busy) throw new Error(stillBusy);
      const history = restored(state.history, id);
      if (history === undefined) return false;
      state.history = history;
      state.context = { tokens: 0, messages: 0 };
      log('info', `What was removed from the context of the model was put back (${id}).`);
      return true;
    },
    get takenOut() {
      return takenOutOf(state.history);
    },
    compress: (signal = never) =>
      alone(async function* () {
        if (yield* run.compressor.now(signal)) {
          sentry.check({ type: 'compaction' });
          const problem = await trySave();
          if (problem !== undefined) yield remark(state, { type: 'warning', message: problem });
        }
      }),
    setModel(model, providerOptions) {
      ask.model = model;
      ask.providerOptions = providerOptions;
      state.context = { tokens: 0, messages: 0 };
    },
    session,
    async save() {
      await save();
    },
  };
}

/** The history without the note about the loop that halted it. Only what the user did since can follow the note. */
function withoutFeedback(history: readonly Message[]): readonly Message[] {
  const at = history.findLastIndex((message) => message.role !== 'user' || message.from !== 'face');
  const note = history[at];
  if (note?.role !== 'user' || note.from !== 'guard') return history;
  return [...withoutLast(history.slice(0, at + 1)), ...history.slice(at + 1)];
}

async function* only(event: ClientEvent): AsyncGenerator<ClientEvent, void> {
  yield event;
}

const stillBusy = 'The client is working on a request. Wait for its end, or cancel it.';
const never = new AbortController().signal;
