import type { LinesFormat } from '@loopfuse/formats';
import type { AgentEvent, Json } from 'loopfuse';

/** What an agent reports when it calls the hook. */
export interface HookEvent {
  /** The agent's own id of the session. */
  readonly session: string;
  /** The sub-agent, if it is one. */
  readonly lane?: string | undefined;
  /** The file to which the agent writes the session. */
  readonly transcript?: string | undefined;
  /** Text and reasoning that came before the moment, if the hook receives them itself. */
  readonly streamed?: readonly AgentEvent[] | undefined;
  /** How the agent identifies this moment, besides the ids of calls: a time, or the id of a prompt or a turn. */
  readonly mark?: string | undefined;
  readonly moment: Moment;
}

export type Moment =
  | { readonly type: 'prompt'; readonly text: string } // the user sent a request
  | { readonly type: 'call'; readonly call: HookCall } // a tool is about to run
  | { readonly type: 'result'; readonly call: HookCall; readonly output: Json; readonly failed?: boolean | undefined }
  | { readonly type: 'resume' }; // the results are about to go back to the model

export interface HookCall {
  /** Missing for some agents: then results are matched by tool and input. */
  readonly id?: string | undefined;
  readonly tool: string;
  readonly input: Json;
}

/** What a hook can do about a decision. Each protocol expresses it in its own form, or does the next best thing. */
export type Measure =
  | { readonly type: 'tell'; readonly text: string } // more context for the model
  | { readonly type: 'refuse'; readonly text: string } // the call does not run; the model reads why
  | { readonly type: 'ask'; readonly text: string } // the user decides whether the call runs
  | { readonly type: 'end'; readonly text: string }; // the run ends

/** How one agent talks to hooks. Pure; neither function throws for any JSON. */
export interface Protocol {
  /** The agent's name in `loopfuse install` and `loopfuse hook`. */
  readonly name: string;
  /** The format of its transcripts. */
  readonly format: LinesFormat;
  /** Whether it can ask the user about one call. If it cannot, the run ends instead, and the user can decide then. */
  readonly asks: boolean;
  /** What the payload reports; undefined if it is not for us. `event` is its name if the payload does not have it. */
  read(payload: Json, event: string | undefined, env: Environment): HookEvent | undefined;
  /** What to print; undefined for nothing. */
  reply(measure: Measure, payload: Json): Json | undefined;
}

export type Environment = { readonly [name: string]: string | undefined };
