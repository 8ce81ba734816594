import type { Judge } from '@loopfuse/judge';
import type { AnswerContext, RequestView, Wire } from '@loopfuse/wire';
import type { AgentEvent, Decision, EventOf } from 'loopfuse';
import { type Action, actionFor, noteText } from './decided.js';
import { arrive, type Lane, note } from './lane.js';
import { gravest, type Session } from './session.js';
import type { Visit } from './sessions.js';

/** One request and its answer, as a turn of its session. */
export interface Turn {
  readonly wire: Wire;
  readonly view: RequestView;
  /** The request of the client. */
  readonly body: unknown;
  /** What was sent to the upstream. */
  readonly sent: unknown;
  readonly context: AnswerContext;
  readonly visit: Visit;
  readonly laneName: string | undefined;
  /** Whether anything is done about loops: calls are held back until they are whole. */
  readonly acts: boolean;
  /** Called with every event, where somebody wants to know. */
  readonly observed: ((event: AgentEvent) => void) | undefined;
  readonly acted: (action: Action) => void;
  /** Called with the id of every answer that a later request may go on from. */
  readonly onId: (id: string) => void;
  /** The upstream has broken off its answer: gives what the client is sent in its place. */
  readonly brokenOff: () => Uint8Array;
  /** Calls back with the message to the client when a person stops the session. Returns a function that ends this. */
  readonly onHalt: (halt: (message: string) => void) => () => void;
  readonly now: () => number;
}

export interface TurnStart {
  readonly action: Action;
  /** The body to send, where it differs from the client's. */
  readonly changed: unknown;
  readonly laneName: string | undefined;
  /** Whether the session was stopped before, and the client knows. */
  readonly announced: boolean;
  /** The judge, where it wants to be asked. */
  readonly judge: Judge | undefined;
  /** Whether it was a person who stopped it. */
  readonly halted: boolean;
}

/** Takes what is new in a request into the session and decides what becomes of it. */
export function startTurn(
  session: Session,
  request: Pick<Turn, 'wire' | 'view' | 'body' | 'now'> & { system: number; agent: string; named: boolean },
): TurnStart & { readonly events: readonly AgentEvent[] } {
  const { wire, view, body, now } = request;
  const { about, guard } = session;
  about.requests++;
  about.lastAt = now();
  about.model = view.model || about.model;
  const { lane, events } = arrive(session.lanes, request);
  const stamped = [...events, laneEvent(lane, { type: 'turn-start' })].map((event) => ({ ...event, at: now() }));
  const decided = take(session, gravest(stamped.map((event) => guard.observe(event))));
  const { halted } = about;
  const action: Action = halted === undefined ? decided : { type: 'stop', message: halted };
  if (halted !== undefined) about.stopped = halted;
  const length = wire.historyLength(body);
  const notes = [
    ...(action.type === 'steer' || action.type === 'block' ? [noteText(action.message)] : []),
    ...(lane.next === undefined ? [] : [lane.next]),
  ];
  delete lane.next;
  if (about.hint !== undefined && action.type !== 'stop') {
    note(lane, length, about.hint);
    delete about.hint;
  }
  for (const text of notes) {
    note(lane, length, text);
    guard.observe(laneEvent(lane, { type: 'steer', text }));
  }
  const changed = lane.notes.length > 0 ? wire.withNotes(body, lane.notes) : undefined;
  return {
    action,
    changed,
    laneName: lane.name,
    announced: announce(session, action),
    judge: session.judge?.due === true && lane.name === undefined ? session.judge : undefined,
    halted: halted !== undefined,
    events: stamped,
  };
}

/**
 * Takes the opinion of a judge into the session. The request that it was asked beside is on its way: a message for the model
 * goes with the next one, and a stop answers the next one.
 */
export function takeOpinion(session: Session, opinion: EventOf<'opinion'>): Action {
  const action = take(session, session.guard.observe(opinion));
  const lane = laneOf(session, undefined);
  if (lane !== undefined && (action.type === 'steer' || action.type === 'block')) lane.next = noteText(action.message);
  return action;
}

/** Counts what is decided, and keeps whether the session is stopped in step with its circuit. */
export function take(session: Session, decision: Decision, atCall = false): Action {
  const { about, guard } = session;
  const action = actionFor(decision, guard, atCall);
  if (action.type === 'steer') about.steers++;
  if (action.type === 'block') about.blocks++;
  if (action.type === 'stop') about.stopped = action.message;
  else if (guard.circuit.state !== 'open' && about.stopped !== '' && about.halted === undefined) {
    about.stopped = '';
    about.announced = false;
  }
  return action;
}

/** Marks a stop as announced; says whether it was before. */
function announce({ about }: Session, action: Action): boolean {
  const before = about.announced;
  if (action.type === 'stop') about.announced = true;
  return before;
}

export function laneOf(session: Session, name: string | undefined): Lane | undefined {
  return session.lanes.find((lane) => lane.name === name);
}

function laneEvent(lane: { readonly name?: string | undefined }, event: AgentEvent): AgentEvent {
  return lane.name === undefined ? event : { ...event, lane: lane.name };
}
