import type { Protocol } from '@loopfuse/model-server';
import type { Session } from '@loopfuse/session';
import type { ScriptedTool } from './tools.js';

/** How the laws run an agent with one SDK: all that a new adapter has to write to be tested. */
export interface AdapterDriver {
  readonly name: string;
  /** The protocol between the SDK and the scripted server. */
  readonly protocol: Protocol;
  /** Runs the SDK's own agent once, guarded, until it ends. Gives what it said last; what the SDK throws is thrown on. */
  run(run: Run): Promise<string>;
  /** What the SDK puts before the names of tools and files: it is left out where messages are compared. */
  readonly adds?: RegExp;
  /** What this SDK gives no means for, each with the reason. The laws about it are not asserted. */
  readonly cannot?: { readonly [What in Ability]?: string };
}

/** What not every SDK allows. */
export type Ability =
  | 'stream' // passes an answer on while it is being made
  | 'whole' // asks for whole answers
  | 'cut-short' // ends an answer of the model before the model does
  | 'approve' // puts a call to a person by means of its own, and goes on with their answer
  | 'rewind' // leaves rounds out of the history that the model is sent
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
  /** The model on the same server that takes a turn when the guard escalates. */
  readonly stronger: string;
  /** Whether a person approves a call, where the SDK has put it to them in its own way. */
  approve(question: string): boolean;
}
