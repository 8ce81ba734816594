import { type AgentEvent, type Decision, isHalt } from 'loopfuse';
import type { LoopError } from './loop-error.js';
import type { Session } from './session.js';

/** What a host does next while the model answers. */
export type TurnStep<Part> =
  | { readonly type: 'part'; readonly part: Part } // pass it on
  | { readonly type: 'again' } // what was passed on of this answer is over; another answer follows
  | { readonly type: 'end'; readonly error: LoopError }; // nothing follows

export interface TurnHost<Part> {
  /** Asks the model. Called once for each answer; `session.history` gives the messages to send. */
  ask(): AsyncIterable<Part> | Iterable<Part> | PromiseLike<AsyncIterable<Part> | Iterable<Part>>;
  /** The events that a part stands for. Turn starts and ends are not among them. */
  read(part: Part): readonly AgentEvent[];
  /** Whether a call about which a person is to be asked is put to them later, by the SDK. If not, the run ends there. */
  readonly approves: boolean;
}

/**
 * One turn of the model under guard. Answers that go in circles are cut short and asked for again, with the message that
 * is waiting for the model; calls are shown to the session, and what was decided about them is `session.call`'s to say.
 */
export async function* guardTurn<Part>(session: Session, host: TurnHost<Part>): AsyncGenerator<TurnStep<Part>> {
  for (;;) {
    const stopped = guardBefore(session, host.approves);
    if (stopped) return yield { type: 'end', error: stopped };
    session.startTurn();
    const outcome = yield* readAnswer(session, host); // who stops reading closes the answer of the model with it
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
          // Where the SDK cannot put a call to a person, they are asked now, if there is a way to.
          const settled = approves ? decision : await session.settle(decision);
          if (settled.type === 'stop' || (settled.type === 'ask' && !approves)) return session.end(settled);
        } else {
          const isCost = event.type === 'usage'; // of an answer that is whole, and may be fine
          // A question that was there before this event is put to the person with the next call, by the SDK.
          const isAsking = approves && (isCost || session.question !== undefined);
          const decision = show(session, event);
          if (isAsking && decision.type === 'ask') continue;
          // With calls under way, or none to come, the message goes with the next request.
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

/** Why the run is over before the model is asked: it was stopped, or there is a question and nobody who can be asked. */
export function guardBefore(session: Session, approves: boolean): LoopError | undefined {
  if (session.error) return session.error;
  const { circuit } = session.guard;
  if (circuit.state !== 'open') return undefined;
  if (circuit.decision.type === 'ask' && approves) return undefined;
  return session.end(circuit.decision);
}
