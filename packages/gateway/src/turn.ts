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
  /** Called with every event, if the operator wants that. */
  readonly observed: ((event: AgentEvent) => void) | undefined;
  readonly acted: (action: Action) => void;
  /** Called with the id of every answer that a later request may go on from. */
  readonly onId: (id: string) => void;
  /** For an answer that the upstream broke off: returns what is sent to the client instead of the rest. */
  readonly brokenOff: () => Uint8Array;
  /** Calls `halt` with the message to the client if the operator stops the session. Returns a function to end this. */
  readonly onHalt: (halt: (message: string) => void) => () => void;
  readonly now: () => number;
}

export interface TurnStart {
  readonly action: Action;
  /** The body to send, if it differs from the client's. */
  readonly changed: unknown;
  readonly laneName: string | undefined;
  /** Whether the session was stopped before, and the client knows. */
  readonly announced: boolean;
  /** The judge, if it must be asked now. */
  readonly judge: Judge | undefined;
  /** Whether the operator stopped it. */
  readonly halted: boolean;
}

/** Records what is new in a request in the session, and decides what to do with the request. */
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
 * Records the opinion of a judge in the session. The request during which it was asked is already under way: so a
 * message for the model goes with the next request, and a stop answers the next request.
 */
export function takeOpinion(session: Session, opinion: EventOf<'opinion'>): Action {
  const action = take(session, session.guard.observe(opinion));
  const lane = laneOf(session, undefined);
  if (lane !== undefined && (action.type === 'steer' || action.type === 'block')) lane.next = noteText(action.message);
  return action;
}

/** Counts a decision, and keeps the `stopped` field in step with the circuit. */
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

/** Marks a stop as announced; returns whether one was announced before. */
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
