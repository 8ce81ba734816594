import type { AgentEvent, Decision, EventOf, Guard, Halt, Json, Question } from 'loopfuse';
import { jsonOf } from 'loopfuse/words';
import { printOf } from './edits.js';
import { handle, type OutputAction, onOutput } from './handlers.js';
import { createLanes, keepCall, type Lane } from './lane.js';
import type { LoopError } from './loop-error.js';
import { adviceOn, attempt, createRunState, endRun, type RunState, reportFault } from './run-state.js';
import type { Answer, ExitBehavior, SessionOptions, SessionSnapshot } from './session-options.js';

export type ToolCall = Omit<EventOf<'tool-call'>, 'type' | 'at' | 'lane'>;
export type ToolResult = Omit<EventOf<'tool-result'>, 'type' | 'at' | 'lane'>;

/** One lane of an agent session under guard. An adapter reports what happens and carries out the decisions. */
export interface Session {
  readonly guard: Guard;
  /** The sub-agent of this view of the session; undefined for the main agent. */
  readonly lane: string | undefined;
  readonly exitBehavior: ExitBehavior;
  /** Why the run was ended; `undefined` while it may go on. */
  readonly error: LoopError | undefined;
  /** What the user must be asked before the agent goes on, for SDKs whose approvals carry no reason. */
  readonly question: Question | undefined;
  /** The same session, for a sub-agent: watched on its own, stopped with the rest. */
  in(lane: string): Session;

  observe(event: AgentEvent): Decision;
  /** The model is about to be asked: for the first time or, after `failTurn` and without a new prompt, again. */
  startTurn(): void;
  /** The request to the model failed and may be sent again. */
  failTurn(): void;
  /**
   * Reports what is new in a request before the model is asked: results, and prompts of the user. `length` is the
   * number of messages in its history: after `failTurn`, the same prompts at the same length are the failed request
   * again.
   */
  request(events: readonly AgentEvent[], length: number): Promise<void>;
  /** Reports a call before it runs. The same id gets the same decision again. */
  call(call: ToolCall): Decision;
  /** Reports the result of a reported call. Other results are ignored, so a whole history may be passed every time. */
  result(result: ToolResult): Decision;
  /** What happens to the answer of the model under way, after a decision about a part of it. */
  output(decision: Decision): OutputAction;
  /** Asks the user, if there is `onAsk`. Returns what holds then: the same decision, allow, or stop. */
  settle(decision: Decision): Promise<Decision>;
  /** The user let the session go on by means of the SDK. */
  release(answer: Answer): void;
  /** The run ends on this decision: sets `error`. */
  end(decision: Halt): LoopError;

  /** Adds a message for the model to the next request. */
  tell(text: string): void;
  /** Whether a message is waiting for the model. */
  readonly waiting: boolean;
  /** The history for a request: with our messages in it, and without the rounds that were taken back. */
  history<Message>(messages: readonly Message[], make: (text: string) => Message): Message[];
  /** The waiting messages as text, for SDKs that take no history. */
  takeMessages(): readonly string[];
  /** Whether a stronger model must take the next turn. If the adapter never asks, the model gets a message instead. */
  takeEscalation(): boolean;

  /** Runs code of an adapter. What it throws is reported as a fault, and the agent goes on with the fallback. */
  attempt<Value>(where: string, action: () => Value, fallback: Value): Value;
  snapshot(): SessionSnapshot;
}

const allow: Decision = { type: 'allow' };
/** How many times in a row answers are cut short and asked for again before one is let through, whatever the policy. */
const maxAgain = 4;

export function openSession(options: SessionOptions = {}): Session {
  const run = createRunState(options);
  const views = new Map<string | undefined, Session>();
  const lanes = createLanes(options.snapshot?.lanes, (name) => views.delete(name));

  function view(name: string | undefined): Session {
    const known = views.get(name);
    if (known) return known;
    const made = sessionIn(run, name, lanes.get(name ?? ''), {
      in: (inner) => view(name === undefined ? inner : `${name}/${inner}`),
      snapshot: () => ({ version: 1, guard: run.guard.snapshot(), lanes: lanes.save() }),
    });
    views.set(name, made);
    return made;
  }

  return view(undefined);
}

function sessionIn(
  run: RunState,
  name: string | undefined,
  lane: Lane,
  whole: Pick<Session, 'in' | 'snapshot'>,
): Session {
  const { guard, exitBehavior } = run;
  const { now = Date.now, onAsk } = run.options;
  const place = name === undefined ? {} : { lane: name };

  function observe(event: AgentEvent): Decision {
    const stamped: AgentEvent = { ...event, at: event.at ?? now(), ...place };
    const decision = guard.observe(stamped);
    run.seq++;
    if (event.type === 'prompt' || event.type === 'tool-result') lane.again = 0;
    if (event.type === 'prompt' && name === undefined) run.error = undefined;
    if (decision.type !== 'allow') carryOut(run, lane, decision, stamped);
    return decision;
  }

  /** The new prompts of a request; none if it is a failed request that is sent again. */
  function newPrompts(events: readonly AgentEvent[], length: number): readonly AgentEvent[] {
    const prompts = events.filter(({ type }) => type === 'prompt');
    const print = printOf([length, prompts.map((prompt) => ('text' in prompt ? prompt.text : ''))]);
    const isAgain = lane.failed && lane.request === print;
    lane.request = print;
    if (isAgain || prompts.length === 0) return [];
    lane.failed = false;
    return prompts;
  }

  function result(result: ToolResult): Decision {
    if (!lane.calls.delete(result.id)) return allow;
    return observe({ type: 'tool-result', ...result, output: plain(result.output) });
  }

  async function settle(decision: Decision): Promise<Decision> {
    if (decision.type !== 'ask' || onAsk === undefined) return decision;
    if (guard.circuit.state !== 'open') return allow; // answered meanwhile, for another call of the same turn
    run.asking ??= ask(decision).finally(() => {
      run.asking = undefined;
    });
    return run.asking;
  }

  function release(answer: Answer): void {
    if (answer.type === 'stop') return;
    if (answer.text !== undefined && answer.text !== '') lane.edits.tell(answer.text);
    guard.release(answer);
    run.error = undefined;
  }

  async function ask(decision: Extract<Decision, { type: 'ask' }>): Promise<Decision> {
    try {
      const answer = await onAsk!(decision.question, decision);
      if (answer.type !== 'stop') {
        release(answer);
        return allow;
      }
    } catch (cause) {
      reportFault(run, 'onAsk', cause);
    }
    endRun(run, decision);
    return { type: 'stop', reason: decision.question.message, findings: decision.findings };
  }

  function escalationAsMessage(): void {
    if (lane.escalation !== undefined) lane.edits.tell(lane.escalation);
    lane.escalation = undefined;
  }

  function observeSteer(text: string): void {
    guard.observe({ type: 'steer', text, ...place });
    run.seq++;
  }

  return {
    guard,
    lane: name,
    exitBehavior,
    get error() {
      return run.error;
    },
    get question() {
      const { circuit } = guard;
      return circuit.state === 'open' && circuit.decision.type === 'ask' ? circuit.decision.question : undefined;
    },
    ...whole,
    observe,
    startTurn() {
      observe({ type: lane.failed ? 'retry' : 'turn-start' });
      lane.failed = false;
    },
    failTurn() {
      lane.failed = true;
    },
    async request(events, length) {
      for (const event of events) if (event.type === 'tool-result') await settle(result(event));
      for (const prompt of newPrompts(events, length)) observe(prompt);
    },
    call(call) {
      const known = lane.calls.get(call.id);
      if (known) return known;
      const decision = observe({ type: 'tool-call', ...call, input: plain(call.input) });
      keepCall(lane, call.id, decision);
      return decision;
    },
    result,
    output(decision) {
      const action = handle(onOutput, decision);
      if (action !== 'again') return action;
      return ++lane.again > maxAgain ? 'go-on' : 'again';
    },
    settle,
    release,
    end: (decision) => endRun(run, decision),
    tell: (text) => lane.edits.tell(text),
    get waiting() {
      return lane.edits.waiting || lane.escalation !== undefined;
    },
    history(messages, make) {
      escalationAsMessage();
      return attempt(run, 'history', () => lane.edits.apply(messages, run.seq, make, observeSteer), [...messages]);
    },
    takeMessages() {
      escalationAsMessage();
      const texts = lane.edits.take();
      for (const text of texts) observeSteer(text);
      return texts;
    },
    takeEscalation() {
      const isWanted = lane.escalation !== undefined;
      lane.escalation = undefined;
      return isWanted;
    },
    attempt: (where, action, fallback) => attempt(run, where, action, fallback),
  };
}

/** Reports a decision, and keeps the message for the model. The rest is the host's task. */
function carryOut(run: RunState, lane: Lane, decision: Decision, event: AgentEvent): void {
  if (decision !== run.reported) attempt(run, 'onDecision', () => run.options.onDecision?.(decision, event), undefined);
  run.reported = decision;
  handle(
    {
      allow: () => {},
      steer: ({ message }) => lane.edits.tell(message),
      // A refused call gets the message as its result; without a call, it is an ordinary message.
      block: ({ message }) => {
        if (event.type !== 'tool-call') lane.edits.tell(message);
      },
      rewind: ({ from, note }) => lane.edits.rewind(from, note),
      escalate: ({ findings }) => {
        lane.escalation = adviceOn(run, findings);
      },
      ask: () => {},
      stop: (stop) => {
        endRun(run, stop);
      },
    },
    decision,
  );
}

/**
 * A value as JSON: what SDKs pass may hold dates, bytes or big integers. What has no JSON is passed on unchanged: the
 * guard can read anything, and two different values must not become the same.
 */
function plain(value: unknown): Json {
  if (typeof value === 'string') return value;
  const text = isError(value) ? undefined : jsonOf(value);
  return text === undefined ? ((value ?? null) as Json) : (JSON.parse(text) as Json);
}

/** Errors are recognised because their JSON is {}, whatever the message. */
function isError(value: unknown): boolean {
  try {
    return value instanceof Error;
  } catch {
    return false; // an object that throws when it is read
  }
}
