import type { LinesFormat } from '@loopfuse/formats';
import {
  type AgentEvent,
  createGuard,
  type Decision,
  type Guard,
  type GuardSnapshot,
  type PolicyName,
  policies,
  resumeGuard,
} from 'loopfuse';
import { balanced } from 'loopfuse/presets';
import type { HookEvent, Measure, Protocol } from '../protocol/protocol.js';
import { measureOf } from './measure.js';
import { closeCall, dropCall, keyOf, type OpenCall, openCall } from './open-calls.js';
import { shortHash } from './short-hash.js';
import { type Bookmark, endOf, readOn } from './transcript.js';

/** What is saved of a session between two calls of a hook. */
export interface SessionState {
  readonly version: 1;
  readonly guard: GuardSnapshot;
  readonly bookmark?: Bookmark | undefined;
  readonly calls: readonly OpenCall[];
  /** How many calls got their id from us. */
  readonly named: number;
  /** The message that the model gets with the next result. */
  readonly owed?: string | undefined;
  /** The call that the user was asked about. */
  readonly asked?: string | undefined;
  /** Short names of the latest moments: hooks of the user, of the project and of a plugin report the same ones. */
  readonly seen?: readonly string[] | undefined;
}

export interface StepOptions {
  readonly policy: PolicyName;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly onFault: (message: string) => void;
}

export interface StepResult {
  /** What to save; undefined if nothing has changed. */
  readonly state: SessionState | undefined;
  readonly measure: Measure | undefined;
  /** The decision behind the measure, for the log. */
  readonly decision: Decision;
}

/** One call of a hook: decides what to do and save after the event. Reads the transcript; writes nothing. */
export function step(
  saved: unknown,
  event: HookEvent,
  protocol: Pick<Protocol, 'asks'> & Partial<Pick<Protocol, 'format'>>,
  options: StepOptions,
): StepResult {
  const before = isState(saved) ? saved : undefined;
  if (saved !== undefined && before === undefined)
    options.onFault('expected the saved state of a session, found other JSON; the session starts from scratch');
  const name = nameOf(event);
  const seen = Array.isArray(before?.seen) ? before.seen : [];
  // Another hook received the same event and has already answered it.
  if (name !== undefined && seen.includes(name)) return { state: undefined, measure: undefined, decision: allow };
  const guard = guardOf(before, options);
  const calls = [...(before?.calls ?? [])];
  const { moment, lane } = event;
  let { named = 0, owed, asked } = before ?? {};
  const bookmark = bookmarkOf(before, event);
  const read = { bookmark, decision: allow as Decision };
  if (moment.type !== 'prompt') {
    for (const part of event.streamed ?? []) observeStreamed(part);
    if (bookmark !== undefined && protocol.format !== undefined) readTranscript(protocol.format, bookmark);
  }

  function observeStreamed(part: AgentEvent): void {
    const decision = guard.observe(part);
    if (decision.type !== 'allow') read.decision = decision;
  }

  function readTranscript(format: LinesFormat, from: Bookmark): void {
    try {
      const { bookmark: now, skipped } = readOn(format, from, observeStreamed);
      read.bookmark = now;
      if (skipped > 0) options.onFault(`${skipped} bytes of the transcript were skipped: too much was written`);
    } catch (cause) {
      const { code } = cause as NodeJS.ErrnoException;
      if (code !== 'ENOENT') options.onFault(`the transcript could not be read: ${code ?? String(cause)}`);
    }
  }

  function observe(event: AgentEvent): Decision {
    const decision = guard.observe({ ...event, at: options.now, ...(lane === undefined ? {} : { lane }) });
    return decision.type === 'allow' ? read.decision : decision;
  }

  let decision: Decision = read.decision;
  switch (moment.type) {
    case 'prompt':
      calls.length = 0;
      owed = undefined;
      asked = undefined;
      if (lane === undefined) guard.observe({ type: 'prompt', text: moment.text, at: options.now });
      break;
    case 'call': {
      const id = openCall(calls, moment.call, ++named);
      decision = observe({ type: 'tool-call', id, tool: moment.call.tool, input: moment.call.input });
      if (decision.type === 'ask') asked = id;
      else if (refuses(decision)) dropCall(calls, id);
      break;
    }
    case 'result': {
      const id = closeCall(calls, moment.call);
      if (id === undefined) break; // no hook saw its call
      if (id === asked) {
        guard.release({ type: 'continue' }); // it ran, so the user approved it
        asked = undefined;
      }
      const { output, failed } = moment;
      decision = observe({ type: 'tool-result', id, output, ...(failed === undefined ? {} : { failed }) });
      break;
    }
    case 'resume':
      decision = guard.circuit.state === 'open' ? guard.observe({ type: 'turn-start', at: options.now }) : decision;
      break;
  }

  const { measure, owes } = measureOf(decision, { moment: moment.type, owed, asks: protocol.asks, guard });
  return {
    decision,
    measure,
    state: {
      version: 1,
      guard: guard.snapshot(),
      calls,
      named,
      ...(read.bookmark === undefined ? {} : { bookmark: read.bookmark }),
      ...(owes === undefined ? {} : { owed: owes }),
      ...(asked === undefined ? {} : { asked }),
      seen: name === undefined ? seen : [...seen, name].slice(-mostSeen),
    },
  };
}

const allow: Decision = { type: 'allow' };
/** Somewhat more than the calls that agents run at the same time. */
const mostSeen = 64;

/** The same name for every hook that receives a moment; undefined if the agent sends nothing that identifies it. */
function nameOf({ moment, lane = '', mark }: HookEvent): string | undefined {
  const call = moment.type === 'call' || moment.type === 'result' ? moment.call : undefined;
  const id = call?.id ?? (mark === undefined ? undefined : `${mark} ${call === undefined ? '' : keyOf(call)}`);
  return id === undefined ? undefined : shortHash(`${moment.type} ${lane} ${id}`);
}

/** Whether this call does not run. */
function refuses({ type }: Decision): boolean {
  return type === 'block' || type === 'rewind' || type === 'stop';
}

/** At a prompt, and for a new transcript, reading starts at the end: what was written before does not matter. */
function bookmarkOf(before: SessionState | undefined, { transcript, moment }: HookEvent): Bookmark | undefined {
  if (transcript === undefined) return undefined;
  const known = before?.bookmark;
  return moment.type === 'prompt' || known?.path !== transcript ? endOf(transcript) : known;
}

function guardOf(before: SessionState | undefined, { policy, onFault }: StepOptions): Guard {
  const options = {
    detectors: balanced(),
    policy: policies[policy].make(),
    onFault: ({ where, message }: { where: string; message: string }) => onFault(`${where}: ${message}`),
  };
  return before === undefined ? createGuard(options) : resumeGuard(options, before.guard);
}

function isState(value: unknown): value is SessionState {
  const { version, guard, calls, named, bookmark } = (value ?? {}) as Partial<SessionState>;
  return (
    version === 1 &&
    typeof guard === 'object' &&
    guard !== null &&
    Array.isArray(calls) &&
    Number.isSafeInteger(named) &&
    (bookmark === undefined || (typeof bookmark?.path === 'string' && Number.isSafeInteger(bookmark.offset)))
  );
}
