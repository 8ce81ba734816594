import type { Protocol } from '@loopfuse/model-server';
import type { Session } from '@loopfuse/session';
import type { ScriptedTool } from './tools.js';

/** How the laws run an agent of one SDK: the only code that the test of a new adapter needs. */
export interface AdapterDriver {
  readonly name: string;
  /** The protocol between the SDK and the scripted server. */
  readonly protocol: Protocol;
  /** Runs the SDK's own agent once, guarded, until it ends. Returns its last text; rethrows what the SDK throws. */
  run(run: Run): Promise<string>;
  /** What the SDK adds before the names of tools and files: it is removed before messages are compared. */
  readonly adds?: RegExp;
  /** What the SDK does not support, each with the reason. The laws about it are not tested. */
  readonly cannot?: { readonly [What in Ability]?: string };
}

/** What some SDKs do not support. */
export type Ability =
  | 'stream' // passes an answer on while it is generated
  | 'whole' // requests whole answers
  | 'cut-short' // ends an answer of the model before the model does
  | 'approve' // asks the user about a call in its own way, and continues with the answer
  | 'rewind' // can leave rounds out of the history that is sent to the model
  | 'escalate'; // gives one turn to another model

/** One run of an agent. */
export interface Run {
  /** Of the scripted server, without `/v1`. */
  readonly url: string;
  readonly model: string;
  readonly prompt: string;
  readonly tools: readonly ScriptedTool[];
  readonly stream: boolean;
  readonly session: Session;
  readonly signal: AbortSignal;
  /** The model on the same server for a turn after an escalation. */
  readonly stronger: string;
  /** The user's answer, if the SDK asks about a call in its own way. */
  approve(question: string): boolean;
}
