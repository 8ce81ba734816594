import type { AgentEvent, Json } from 'loopfuse';

/**
 * Builds a session for tests and examples. Every method returns a new session and does not change the old one, so that
 * several sessions can share a beginning.
 */
export interface Session {
  readonly events: readonly AgentEvent[];
  prompt(text?: string): Session;
  /** Ends the open turn, if there is one, and starts the next. */
  turn(): Session;
  /** A delta of visible text. */
  text(delta: string): Session;
  /** A delta of reasoning. */
  think(delta: string): Session;
  call(tool: string, input?: Json): Session;
  /** Answers the oldest call of this lane that has no result yet. */
  result(output?: Json): Session;
  /** The same with a failure. */
  fails(output?: Json): Session;
  usage(inputTokens: number, outputTokens: number): Session;
  steer(text: string): Session;
  opinion(confidence: number, analysis?: string, by?: string): Session;
  retry(): Session;
  compaction(): Session;
  /** Adds `round` `times` times; it gets the number of the round, from 0. */
  repeat(times: number, round: (session: Session, k: number) => Session): Session;
  /** The work of a sub-agent, in a lane. */
  lane(name: string, work: (session: Session) => Session): Session;
  /** Adds other events. */
  add(...events: readonly AgentEvent[]): Session;
}

export function session(): Session {
  return grow([], undefined);
}

function grow(events: readonly AgentEvent[], lane: string | undefined): Session {
  const add = (...more: readonly AgentEvent[]): Session =>
    grow([...events, ...more.map((event) => (lane === undefined ? event : { ...event, lane }))], lane);

  return {
    events,
    add,
    prompt: (text) => add(text === undefined ? { type: 'prompt' } : { type: 'prompt', text }),
    turn: () =>
      turnIsOpen(events, lane) ? add({ type: 'turn-end' }, { type: 'turn-start' }) : add({ type: 'turn-start' }),
    text: (text) => add({ type: 'text', text }),
    think: (text) => add({ type: 'reasoning', text }),
    call: (tool, input = {}) => add({ type: 'tool-call', id: `call-${countCalls(events)}`, tool, input }),
    result: (output = '') => add({ type: 'tool-result', id: waitingCall(events, lane), output }),
    fails: (output = '') => add({ type: 'tool-result', id: waitingCall(events, lane), output, failed: true }),
    usage: (inputTokens, outputTokens) => add({ type: 'usage', inputTokens, outputTokens }),
    steer: (text) => add({ type: 'steer', text }),
    opinion: (confidence, analysis = '', by = 'judge') => add({ type: 'opinion', by, confidence, analysis }),
    retry: () => add({ type: 'retry' }),
    compaction: () => add({ type: 'compaction' }),
    repeat(times, round) {
      let grown: Session = grow(events, lane);
      for (let k = 0; k < times; k++) grown = round(grown, k);
      return grown;
    },
    lane: (name, work) => grow(work(grow(events, name)).events, lane),
  };
}

function turnIsOpen(events: readonly AgentEvent[], lane: string | undefined): boolean {
  const last = events.findLast(
    (event) => event.lane === lane && (event.type === 'turn-start' || event.type === 'turn-end'),
  );
  return last?.type === 'turn-start';
}

function countCalls(events: readonly AgentEvent[]): number {
  return events.filter((event) => event.type === 'tool-call').length;
}

function waitingCall(events: readonly AgentEvent[], lane: string | undefined): string {
  const answered = new Set<string>();
  for (const event of events) if (event.type === 'tool-result') answered.add(event.id);
  for (const event of events)
    if (event.type === 'tool-call' && event.lane === lane && !answered.has(event.id)) return event.id;
  throw new Error('session: result() and fails() answer a call, and no call is waiting');
}
