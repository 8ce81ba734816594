import {
  type AgentEvent,
  createGuard,
  type Decision,
  type EventOf,
  type Finding,
  type Guard,
  type Halt,
  isHalt,
  type Json,
  loopKinds,
  type Policy,
  type Question,
  resumeGuard,
  unattended,
} from 'loopfuse';
import { balanced } from 'loopfuse/presets';
import { messageOf } from 'loopfuse/words';
import { createEdits, type Edits } from './edits.js';
import { handle, type OutputAction, onOutput } from './handlers.js';
import { LoopError } from './loop-error.js';
import {
  type Answer,
  type ExitBehavior,
  requireExitBehavior,
  type SavedLane,
  type SessionOptions,
  type SessionSnapshot,
} from './session-options.js';

export type ToolCall = Omit<EventOf<'tool-call'>, 'type' | 'at' | 'lane'>;
export type ToolResult = Omit<EventOf<'tool-result'>, 'type' | 'at' | 'lane'>;

/** One agent session under guard, in one lane of it. An adapter shows it what happens and does what it answers. */
export interface Session {
  readonly guard: Guard;
  /** The sub-agent that this view of the session belongs to. */
  readonly lane: string | undefined;
  readonly exitBehavior: ExitBehavior;
  /** Why the run was ended; `undefined` while it may go on. */
  readonly error: LoopError | undefined;
  /** What a person is to be asked before the agent goes on, for SDKs whose approvals carry no reason. */
  readonly question: Question | undefined;
  /** The same session, for a sub-agent: watched on its own, stopped with the rest. */
  in(lane: string): Session;

  observe(event: AgentEvent): Decision;
  /** The model is about to be asked, for the first time or, after `failTurn`, once more. */
  startTurn(): void;
  /** The request to the model failed and may be sent again. */
  failTurn(): void;
  /** Whether the last request failed, so that the next one brings nothing new. */
  readonly retrying: boolean;
  /** A call before it runs. Asked again about the same id, it answers the same. */
  call(call: ToolCall): Decision;
  /** The result of a call that was shown; of any other it is ignored, so a whole history may be shown every time. */
  result(result: ToolResult): Decision;
  /** What becomes of the answer that the model is giving, after a decision about a part of it. */
  output(decision: Decision): OutputAction;
  /** Asks the person where `onAsk` says how. Gives what holds then: the same decision, allow, or stop. */
  settle(decision: Decision): Promise<Decision>;
  /** A person let the session go on by the SDK's own means. */
  release(answer: Answer): void;
  /** The run ends on this decision: sets `error`. */
  end(decision: Halt): LoopError;

  /** Something the model is to see with the next request. */
  tell(text: string): void;
  /** Whether something is waiting to be told to the model. */
  readonly waiting: boolean;
  /** The history for a request: with our messages in it, and without the rounds that were taken back. */
  history<Message>(messages: readonly Message[], make: (text: string) => Message): Message[];
  /** What is waiting to be told, as text, for SDKs that take no history. */
  takeMessages(): readonly string[];
  /** Whether the next turn is to be taken by a stronger model. Where nobody asks, the model is told instead. */
  takeEscalation(): boolean;

  /** Runs code of an adapter. What it throws is reported as a fault, and the agent goes on with the fallback. */
  attempt<Value>(where: string, action: () => Value, fallback: Value): Value;
  snapshot(): SessionSnapshot;
}

interface Lane {
  readonly edits: Edits;
  readonly calls: Map<string, Decision>;
  escalation: string | undefined;
  again: number;
  failed: boolean;
}

const allow: Decision = { type: 'allow' };
const maxCalls = 256;
const maxLanes = 64;
/** How often an answer is cut short and asked for again before it is let through, whatever the policy says. */
const maxAgain = 4;

export function openSession(options: SessionOptions = {}): Session {
  const { snapshot, onStop, onDecision, onAsk, now = Date.now, exitBehavior = 'end' } = options;
  requireExitBehavior('openSession', exitBehavior);
  const { policy = unattended } = options;
  const guardOptions = {
    detectors: balanced(),
    ...options,
    policy: exitBehavior === 'continue' ? neverStopping(policy) : policy,
  };
  const guard = snapshot ? resumeGuard(guardOptions, snapshot.guard) : createGuard(guardOptions);
  const lanes = new Map<string, Lane>();
  const views = new Map<string | undefined, Session>();
  let seq = snapshot?.guard?.watch?.seq ?? 0;
  let error: LoopError | undefined;
  let asking: Promise<Decision> | undefined;
  let reported: Decision | undefined;

  function laneOf(name: string): Lane {
    const known = lanes.get(name);
    if (known) return known;
    const [oldest] = [...lanes.keys()].filter((key) => key !== '');
    if (lanes.size >= maxLanes && oldest !== undefined) {
      lanes.delete(oldest);
      views.delete(oldest);
    }
    const lane = createLane();
    lanes.set(name, lane);
    return lane;
  }

  function fault(where: string, cause: unknown): void {
    const message = messageOf(cause);
    try {
      options.onFault?.({ where, message, seq: Math.max(0, seq - 1), cause });
    } catch {
      // Nobody is left to report it to; the agent goes on.
    }
  }

  function attempt<Value>(where: string, action: () => Value, fallback: Value): Value {
    try {
      return action();
    } catch (cause) {
      fault(where, cause);
      return fallback;
    }
  }

  function advice([finding]: readonly Finding[]): string {
    return finding ? `${guard.explain(finding)} ${loopKinds[finding.kind].advice}` : 'You are repeating yourself.';
  }

  function view(name: string | undefined): Session {
    const known = views.get(name);
    if (known) return known;
    const made = viewOf(name, laneOf(name ?? ''));
    views.set(name, made);
    return made;
  }

  function viewOf(name: string | undefined, lane: Lane): Session {
    function observe(event: AgentEvent): Decision {
      const stamped: AgentEvent = { ...event, at: event.at ?? now(), ...(name === undefined ? {} : { lane: name }) };
      const decision = guard.observe(stamped);
      seq++;
      if (event.type === 'prompt' || event.type === 'tool-result') lane.again = 0;
      if (event.type === 'prompt' && name === undefined) error = undefined;
      if (decision.type === 'allow') return decision;
      if (decision !== reported) attempt('onDecision', () => onDecision?.(decision, stamped), undefined);
      reported = decision; // an open circuit answers the same to everything
      handle(
        {
          allow: () => {},
          steer: ({ message }) => lane.edits.tell(message),
          // The refused call gets the message as its result; where there is no call, it is told like any other.
          block: ({ message }) => {
            if (event.type !== 'tool-call') lane.edits.tell(message);
          },
          rewind: ({ from, note }) => lane.edits.rewind(from, note),
          escalate: ({ findings }) => {
            lane.escalation = advice(findings);
          },
          ask: () => {},
          stop: (stop) => {
            end(stop);
          },
        },
        decision,
      );
      return decision;
    }

    function end(decision: Halt): LoopError {
      if (error) return error;
      const made = new LoopError(decision);
      error = made;
      attempt('onStop', () => onStop?.(made), undefined);
      return made;
    }

    function release(answer: Answer): void {
      if (answer.type === 'stop') return;
      if (answer.text !== undefined && answer.text !== '') lane.edits.tell(answer.text);
      guard.release(answer);
      error = undefined;
    }

    async function ask(decision: Extract<Decision, { type: 'ask' }>): Promise<Decision> {
      try {
        const answer = await onAsk!(decision.question, decision);
        if (answer.type !== 'stop') {
          release(answer);
          return allow;
        }
      } catch (cause) {
        fault('onAsk', cause);
      }
      end(decision);
      return { type: 'stop', reason: decision.question.message, findings: decision.findings };
    }

    function escalationAsMessage(): void {
      if (lane.escalation !== undefined) lane.edits.tell(lane.escalation);
      lane.escalation = undefined;
    }

    const placed = (text: string) => {
      guard.observe({ type: 'steer', text, ...(name === undefined ? {} : { lane: name }) });
      seq++;
    };

    return {
      guard,
      lane: name,
      exitBehavior,
      get error() {
        return error;
      },
      get question() {
        const { circuit } = guard;
        return circuit.state === 'open' && circuit.decision.type === 'ask' ? circuit.decision.question : undefined;
      },
      in: (inner) => view(name === undefined ? inner : `${name}/${inner}`),
      observe,
      startTurn() {
        observe({ type: lane.failed ? 'retry' : 'turn-start' });
        lane.failed = false;
      },
      failTurn() {
        lane.failed = true;
      },
      get retrying() {
        return lane.failed;
      },
      call(call) {
        const known = lane.calls.get(call.id);
        if (known) return known;
        const decision = observe({ type: 'tool-call', ...call, input: plain(call.input) });
        const [oldest] = lane.calls.keys();
        if (lane.calls.size >= maxCalls && oldest !== undefined) lane.calls.delete(oldest);
        lane.calls.set(call.id, decision);
        return decision;
      },
      result(result) {
        if (!lane.calls.delete(result.id)) return allow;
        return observe({ type: 'tool-result', ...result, output: plain(result.output) });
      },
      output(decision) {
        const action = handle(onOutput, decision);
        if (action !== 'again') return action;
        return ++lane.again > maxAgain ? 'go-on' : 'again';
      },
      async settle(decision) {
        if (decision.type !== 'ask' || onAsk === undefined) return decision;
        if (guard.circuit.state !== 'open') return allow; // answered meanwhile, for a call beside this one
        asking ??= ask(decision).finally(() => {
          asking = undefined;
        });
        return asking;
      },
      release,
      end,
      tell: (text) => lane.edits.tell(text),
      get waiting() {
        return lane.edits.waiting || lane.escalation !== undefined;
      },
      history(messages, make) {
        escalationAsMessage();
        return attempt('history', () => lane.edits.apply(messages, seq, make, placed), [...messages]);
      },
      takeMessages() {
        escalationAsMessage();
        const texts = lane.edits.take();
        for (const text of texts) placed(text);
        return texts;
      },
      takeEscalation() {
        const wanted = lane.escalation !== undefined;
        lane.escalation = undefined;
        return wanted;
      },
      attempt,
      snapshot: () => ({
        version: 1,
        guard: guard.snapshot(),
        lanes: [...lanes].map(([key, { edits, calls, escalation }]) => ({
          lane: key,
          ...edits.save(),
          calls: [...calls],
          ...(escalation === undefined ? {} : { escalation }),
        })),
      }),
    };
  }

  // All of them, also those of sub-agents that have not spoken yet: the next snapshot must have them too.
  for (const saved of Array.isArray(snapshot?.lanes) ? snapshot.lanes.slice(-maxLanes) : [])
    if (typeof saved?.lane === 'string') lanes.set(saved.lane, createLane(saved));
  if (
    snapshot &&
    guard.circuit.state === 'open' &&
    isHalt(guard.circuit.decision) &&
    guard.circuit.decision.type === 'stop'
  )
    error = new LoopError(guard.circuit.decision);
  return view(undefined);
}

function createLane(saved?: SavedLane): Lane {
  return {
    edits: createEdits(saved),
    calls: new Map(Array.isArray(saved?.calls) ? saved.calls : []),
    escalation: typeof saved?.escalation === 'string' ? saved.escalation : undefined,
    again: 0,
    failed: false,
  };
}

/** A stop becomes a refusal of the call, or a message where there is no call. */
function neverStopping(policy: Policy): Policy {
  return (trip) => {
    const decision = policy(trip);
    if (decision.type !== 'stop') return decision;
    return { type: trip.refusable ? 'block' : 'steer', message: trip.advice, findings: trip.findings };
  };
}

/** A value as JSON: what SDKs hand over may hold dates, bytes or cycles. */
function plain(value: unknown): Json {
  if (typeof value === 'string') return value;
  try {
    return (JSON.parse(JSON.stringify(value) ?? 'null') as Json) ?? null;
  } catch {
    return String(value);
  }
}
