import {
  type AgentEvent,
  createWatch,
  type EventOf,
  eventProblem,
  type Fault,
  type Finding,
  type Json,
  resumeWatch,
  type ToolRules,
  type Verdict,
  type WatchSnapshot,
} from 'loopfuse';
import { messageOf } from 'loopfuse/words';
import { type Counsel, counsellor } from './ask/counsel.js';
import { type Bookkeeper, type Consultants, consultation } from './consultation.js';
import { startDeadline } from './deadline.js';
import { requireInteger, requireNumber } from './options.js';
import { afterFailure, loadPatience, type Patience, passedOver, unspent } from './patience.js';
import { questionOn } from './question.js';
import { rewordedCalls } from './reworded-calls.js';
import {
  loadScheduleState,
  type Schedule,
  type ScheduleName,
  type ScheduleState,
  scheduleOf,
} from './schedule/schedule.js';
import { type JudgeSpending, loadSpending, nothingSpent, spendTokens } from './spending.js';
import { staleTalk } from './stale-talk.js';
import { staleTurns } from './stale-turns.js';
import { excerptOf } from './transcript/excerpt.js';
import { createTranscript, defaultCharacters, longestText, resumeTranscript } from './transcript/transcript.js';

export interface JudgeOptions extends Counsel {
  /** Another judge, which must agree before an opinion says that it is a loop. */
  readonly confirm?: Counsel;
  /** The confidence from which the other one is asked. */
  readonly certain?: number;
  readonly schedule?: ScheduleName | Schedule;
  /** How long a whole consultation may take, including the second attempt and the confirmation. */
  readonly timeoutMs?: number;
  /** How many times each is asked if it gives no valid answer: once or twice. */
  readonly attempts?: number;
  /** How much of the session the judge gets: at most this many entries, */
  readonly entries?: number;
  /** and at most this many characters. */
  readonly characters?: number;
  /** What is known about tools beyond their names; the same as the guard's. */
  readonly tools?: ToolRules;
  /** The sub-agent that is judged; by default the main agent. */
  readonly lane?: string;
  /** Called with the reason why there was no opinion. */
  readonly onFault?: (fault: Fault) => void;
}

/**
 * A second opinion on one session. Pass it every event with the guard's verdict on it, and consult it before each
 * request to the model: mostly it has nothing to say, and answers at once. Its opinion is an event for the guard.
 */
export interface Judge {
  /** Whether it wants to be consulted before the latest turn. */
  readonly due: boolean;
  /** What it has cost so far. */
  readonly spending: JudgeSpending;
  /** Observes an event after the guard, with the guard's verdict on it or the findings of that. Total. */
  observe(event: AgentEvent, found?: Verdict | readonly Finding[]): void;
  /**
   * An opinion, or nothing: if none is due, one is under way, the signal is aborted, or something went wrong. Never
   * rejects. `request` is the request of the user, if the host knows it better than the `prompt` event did.
   */
  consult(context?: { readonly request?: string }, signal?: AbortSignal): Promise<EventOf<'opinion'> | undefined>;
  /** Plain JSON of a bounded size, from which `resumeJudge` goes on. A consultation under way is not part of it. */
  snapshot(): JudgeSnapshot;
}

/** A type, not an interface, so that it is assignable to JSON. */
export type JudgeSnapshot = {
  readonly version: 1;
  readonly schedule: ScheduleState;
  readonly due: boolean;
  readonly patience: Json;
  readonly pulse: Json;
  readonly transcript: Json;
  readonly spending: Json;
};

export function createJudge(options: JudgeOptions): Judge {
  return startJudge(options);
}

/** Goes on from a snapshot. What is broken in it is reported and starts from scratch; the judge works in any case. */
export function resumeJudge(options: JudgeOptions, snapshot: JudgeSnapshot): Judge {
  return startJudge(options, { snapshot });
}

function startJudge(options: JudgeOptions, saved?: { readonly snapshot: JudgeSnapshot }): Judge {
  const { certain = 0.9, timeoutMs = 20_000, attempts = 2, characters = defaultCharacters } = options;
  const lane = options.lane || undefined;
  requireNumber('createJudge: certain', certain, 0, 1);
  requireInteger('createJudge: timeoutMs', timeoutMs, 1, 2 ** 31 - 1);
  requireInteger('createJudge: attempts', attempts, 1, 2);
  const consultants: Consultants = {
    first: counsellor('the judge', options),
    second: options.confirm && counsellor('confirm', options.confirm),
    certain,
    attempts,
  };
  const schedule = scheduleOf(options.schedule ?? 'evidence');
  const remembered = { characters, ...(options.entries === undefined ? {} : { entries: options.entries }) };
  const watching = {
    detectors: [staleTurns(), staleTalk(), rewordedCalls()],
    ...(options.tools === undefined ? {} : { tools: options.tools }),
    onFault: ({ where, message, cause }: Fault) => report(message, cause, where),
  };
  let seen = 0;
  let state = schedule.start();
  let transcript = createTranscript(remembered);
  let pulse = createWatch(watching);
  let spending = nothingSpent;
  let due = false;
  let underWay = false;
  let prompts = 0;
  let patience: Patience = unspent;

  function report(message: string, cause: unknown, where = 'judge'): void {
    try {
      options.onFault?.({ where, message, seq: Math.max(0, seen - 1), cause });
    } catch {
      // There is nowhere left to report a fault handler that throws; the agent goes on.
    }
  }

  function observe(event: AgentEvent, found: Verdict | readonly Finding[] = []): void {
    try {
      if (isOfLane(event)) take(event, found);
    } catch (cause) {
      report(`the event was ignored: ${messageOf(cause)}`, cause);
    }
  }

  function take(event: AgentEvent, found: Verdict | readonly Finding[]): void {
    seen++;
    const problem = eventProblem(event);
    if (problem !== undefined) {
      report(problem, event);
      return;
    }
    transcript.observe(event);
    const findings = [...findingsOf(pulse.observe(event)), ...findingsOf(found)].filter(isOfLane);
    try {
      state = schedule.next(state, event, findings);
      if (event.type === 'prompt') {
        prompts++;
        due = false;
      }
      if (event.type === 'turn-start') due = schedule.isDue(state) && !passesOver();
    } catch (cause) {
      report(`the schedule failed: ${messageOf(cause)}`, cause, 'schedule');
    }
  }

  /** The main agent has no lane, or one without a name. */
  function isOfLane(one: AgentEvent | Finding): boolean {
    return (one?.lane || undefined) === lane;
  }

  function passesOver(): boolean {
    if (patience.skips === 0) return false;
    patience = passedOver(patience);
    return true;
  }

  const books: Bookkeeper = {
    asked() {
      spending = { ...spending, calls: spending.calls + 1 };
    },
    replied({ price }, reply) {
      spending = spendTokens(spending, reply, price);
    },
  };

  async function consult(
    { request }: { readonly request?: string } = {},
    signal?: AbortSignal,
  ): Promise<EventOf<'opinion'> | undefined> {
    if (!due || underWay || signal?.aborted === true) return undefined;
    due = false;
    const { entries, forgotten, request: recorded } = transcript;
    if (entries.length === 0) return undefined;
    const shown = {
      request: request === undefined || request === '' ? recorded : excerptOf(request, longestText(characters)),
      forgotten,
      entries,
    };
    underWay = true;
    const promptsThen = prompts;
    spending = { ...spending, consultations: spending.consultations + 1 };
    const time = startDeadline(timeoutMs, signal);
    try {
      const opinion = await consultation(consultants, questionOn(shown, characters), time.signal, books);
      patience = unspent;
      // An opinion about an earlier request says nothing about this one.
      if (prompts !== promptsThen) return undefined;
      const own = lane === undefined ? opinion : { ...opinion, lane };
      state = schedule.next(state, own, []);
      return own;
    } catch (cause) {
      spending = { ...spending, failures: spending.failures + 1 };
      if (!time.cancelled) {
        patience = afterFailure(patience);
        report(messageOf(cause), cause);
      }
      return undefined;
    } finally {
      time.clear();
      underWay = false;
    }
  }

  function load(snapshot: JudgeSnapshot): void {
    const parts: { readonly [part: string]: () => void } = {
      schedule: () => {
        state = loadScheduleState(schedule, snapshot?.schedule);
        due = snapshot.due === true;
      },
      patience: () => {
        patience = loadPatience(snapshot?.patience);
      },
      transcript: () => {
        transcript = resumeTranscript(remembered, snapshot?.transcript);
      },
      spending: () => {
        spending = loadSpending(snapshot?.spending);
      },
    };
    for (const [part, read] of Object.entries(parts))
      try {
        read();
      } catch (cause) {
        report(`the saved ${part} could not be read and starts from scratch: ${messageOf(cause)}`, cause, 'snapshot');
      }
    pulse = resumeWatch(watching, snapshot?.pulse as unknown as WatchSnapshot);
    seen = pulse.seq;
  }

  if (saved) load(saved.snapshot);

  return {
    get due() {
      return due;
    },
    get spending() {
      return spending;
    },
    observe,
    consult,
    snapshot: () => ({
      version: 1,
      schedule: state,
      due,
      patience: { ...patience },
      pulse: pulse.snapshot() as unknown as Json,
      transcript: transcript.snapshot(),
      spending: { ...spending },
    }),
  };
}

function findingsOf(found: Verdict | readonly Finding[]): readonly Finding[] {
  if ('status' in found) return found.status === 'clear' ? [] : found.findings;
  return found;
}
