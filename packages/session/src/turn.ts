import { type AgentEvent, type Decision, isHalt } from 'loopfuse';
import type { LoopError } from './loop-error.js';
import type { Session } from './session.js';

/** What a host does next while the model answers. */
export type TurnStep<Part> =
  | { readonly type: 'part'; readonly part: Part } // pass it on
  | { readonly type: 'again' } // this answer is cut short, whatever was passed on; another answer follows
  | { readonly type: 'end'; readonly error: LoopError }; // nothing follows

export interface TurnHost<Part> {
  /** Asks the model. Called once for each answer; `session.history` returns the messages to send. */
  ask(): AsyncIterable<Part> | Iterable<Part> | PromiseLike<AsyncIterable<Part> | Iterable<Part>>;
  /** The events of a part, without turn starts and ends. */
  read(part: Part): readonly AgentEvent[];
  /** Whether the SDK asks the user later about a call that needs it. If not, the run ends there. */
  readonly approves: boolean;
}

/**
 * One turn of the model under guard. Answers that go in circles are cut short and asked for again, with the message
 * that is waiting for the model. Calls are reported to the session; `session.call` returns the decision about each.
 */
export async function* guardTurn<Part>(session: Session, host: TurnHost<Part>): AsyncGenerator<TurnStep<Part>> {
  for (;;) {
    const stopped = guardBefore(session, host.approves);
    if (stopped) return yield { type: 'end', error: stopped };
    session.startTurn();
    const outcome = yield* readAnswer(session, host); // if the host stops reading, the model's answer is closed too
    session.observe({ type: 'turn-end' });
    if (outcome === 'again') yield { type: 'again' };
    else {
      if (outcome !== 'go-on') yield { type: 'end', error: outcome };
      return;
    }
  }
}

async function* readAnswer<Part>(
  session: Session,
  { ask, read, approves }: TurnHost<Part>,
): AsyncGenerator<TurnStep<Part>, 'go-on' | 'again' | LoopError> {
  let called = false;
  try {
    for await (const part of await ask()) {
      for (const event of session.attempt('translate', () => read(part), [])) {
        if (event.type === 'tool-call') {
          called = true;
          const decision = session.call(event);
          // If the SDK cannot ask the user about a call, the user is asked now, if `onAsk` is there.
          const settled = approves ? decision : await session.settle(decision);
          if (settled.type === 'stop' || (settled.type === 'ask' && !approves)) return session.end(settled);
        } else {
          const isCost = event.type === 'usage'; // of an answer that is complete and may be good
          // A question that was open before this event is asked by the SDK, with the next call.
          const isAsking = approves && (isCost || session.question !== undefined);
          const decision = show(session, event);
          if (isAsking && decision.type === 'ask') continue;
          // After a call, or at the usage, the answer is not cut: the message goes with the next request.
          const action = await actionOn(session, decision, { mayCut: !called && !isCost });
          if (action !== 'go-on') return action;
        }
      }
      yield { type: 'part', part };
    }
  } catch (cause) {
    session.failTurn();
    throw cause;
  }
  return 'go-on';
}

function show(session: Session, event: AgentEvent): Decision {
  return event.type === 'tool-result' ? session.result(event) : session.observe(event);
}

async function actionOn(
  session: Session,
  decision: Decision,
  { mayCut }: { readonly mayCut: boolean },
): Promise<'go-on' | 'again' | LoopError> {
  const settled = await session.settle(decision);
  if (isHalt(settled)) return session.end(settled);
  if (!mayCut) return 'go-on';
  if (decision.type === 'ask') return session.waiting ? 'again' : 'go-on'; // released, perhaps with a hint
  const action = session.output(settled);
  return action === 'end' ? 'go-on' : action;
}

/** Why the run is over before the model is asked: it was stopped, or the user must be asked and cannot be. */
export function guardBefore(session: Session, approves: boolean): LoopError | undefined {
  if (session.error) return session.error;
  const { circuit } = session.guard;
  if (circuit.state !== 'open') return undefined;
  if (circuit.decision.type === 'ask' && approves) return undefined;
  return session.end(circuit.decision);
}
