import type { Choice, EventOf, Finding } from 'loopfuse';
import type { HaltReport, LoopReport } from '../guard/loop-report.js';
import type { ToolCall, ToolResult } from '../history/message.js';
import type { Tried } from '../history/rewind.js';
import type { JudgeSpending } from '../judge.js';
import type { Usage } from '../turn/draft.js';

/**
 * Everything that happens during a request, for every user interface. The loop guard has seen each event that is
 * evidence before it is passed on. Switch on `type` and call `unhandled` in the default case: then a new kind of event is
 * a compile error until the user interface handles it.
 */
export type ClientEvent =
  | { readonly type: 'content'; readonly text: string } // a delta of the answer
  | { readonly type: 'reasoning'; readonly text: string } // a delta of the model's thinking
  | { readonly type: 'tool-call-request'; readonly call: ToolCall; readonly title: string }
  | { readonly type: 'tool-call-output'; readonly id: string; readonly text: string } // as the tool writes it
  | ({ readonly type: 'tool-call-result' } & ToolResult)
  | {
      readonly type: 'token-usage';
      readonly usage: Usage; // of this turn
      readonly total: Usage; // of the session
      readonly estimated?: true; // the turn was cut off and the provider reported nothing
      readonly by?: ModelName; // a model other than the one in use
    }
  | { readonly type: 'history-compressed'; readonly tokensBefore: number; readonly tokensAfter: number } // estimated
  | { readonly type: 'judge-consulted'; readonly opinion: EventOf<'opinion'>; readonly spending?: JudgeSpending }
  | { readonly type: 'judge-failed'; readonly message: string; readonly spending?: JudgeSpending } // it was asked and gave no opinion
  | { readonly type: 'loop-suspected'; readonly finding: Finding; readonly explanation: string } // nothing is done yet
  | ({ readonly type: 'loop-steered'; readonly message: string; readonly blocked?: string } & LoopReport) // the model was told, and goes on; `blocked` is the id of a call refused
  | ({ readonly type: 'loop-rewound'; readonly id: string; readonly note: string } & TakenOutReport & LoopReport) // rounds left the model's context; `Client.restore(id)` puts them back
  | ({ readonly type: 'loop-escalated'; readonly to: ModelName } & LoopReport) // a stronger model takes the next turn
  | ({ readonly type: 'loop-shadowed' } & LoopReport) // nothing was done; `decision` is what would have been
  | ({ readonly type: 'loop-detected' } & HaltReport) // the run is halted; the last event
  | { readonly type: 'warning'; readonly message: string } // something went wrong beside the request
  | { readonly type: 'error'; readonly message: string; readonly status?: number } // the last event
  | { readonly type: 'max-turns'; readonly turns: number } // the last event
  | { readonly type: 'user-cancelled' } // the last event
  | { readonly type: 'finished'; readonly reason: string }; // the last event; `stop` when the model is done

/** What a person has chosen about the loop that halted the request. */
export interface LoopAnswered {
  readonly type: 'loop-answered';
  readonly choice: Choice;
  /** What the person wants the model to know. */
  readonly hint?: string;
}

/** The events that are not part of any message. They are stored with the messages, so that a session shows what was shown live. */
export type RemarkEvent =
  | Extract<
      ClientEvent,
      {
        type:
          | 'history-compressed'
          | 'judge-failed'
          | 'loop-suspected'
          | 'loop-steered'
          | 'loop-rewound'
          | 'loop-escalated'
          | 'loop-shadowed'
          | 'loop-detected'
          | 'warning'
          | 'error'
          | 'max-turns'
          | 'user-cancelled'
          | 'finished';
      }
    >
  | LoopAnswered;

/** The names of a model and its provider, as the SDK reports them. */
export interface ModelName {
  readonly provider: string;
  readonly model: string;
}

/** What was taken out of the model's context, for people. */
export interface TakenOutReport {
  /** Answers of the model. */
  readonly rounds: number;
  /** Estimated. */
  readonly tokens: number;
  readonly tried: readonly Tried[];
}

export type ClientEventType = ClientEvent['type'];

const types: { readonly [Type in ClientEventType]: true } = {
  content: true,
  reasoning: true,
  'tool-call-request': true,
  'tool-call-output': true,
  'tool-call-result': true,
  'token-usage': true,
  'history-compressed': true,
  'judge-consulted': true,
  'judge-failed': true,
  'loop-suspected': true,
  'loop-steered': true,
  'loop-rewound': true,
  'loop-escalated': true,
  'loop-shadowed': true,
  'loop-detected': true,
  warning: true,
  error: true,
  'max-turns': true,
  'user-cancelled': true,
  finished: true,
};

/** The types of all events. */
export const clientEventTypes = Object.keys(types) as readonly ClientEventType[];

// What user interfaces need to read events and histories. It also runs in a browser.
export { titleFrom } from '../history/message.js';
export { guardMark } from '../history/with-note.js';

/** For the default case of a switch: does not compile until every type is handled. At run time it names the unknown type. */
export function unhandled(event: never): string {
  const type = (event as { type?: unknown } | null)?.type;
  return `an event of an unknown kind came from the agent: ${JSON.stringify(type) ?? typeof event}`;
}
