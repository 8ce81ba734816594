import type { LanguageModel } from 'ai';
import type { Detector, Fault, Policy, ToolRules } from 'loopfuse';
import type { PresetName } from 'loopfuse/presets';
import type { Judge } from '../judge.js';
import type { ApprovalMode, Approve } from '../scheduler/approval.js';
import type { Session } from '../session/session.js';
import type { Tool } from '../tools/tool.js';
import type { Trace } from '../trace.js';
import type { ProviderOptions } from '../turn/stream-turn.js';
import type { Files } from '../workspace/files.js';
import type { Stronger } from './ask.js';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

export interface ClientOptions {
  /** Any model of the AI SDK. `createModel` makes one from settings. */
  readonly model: LanguageModel;
  readonly providerOptions?: ProviderOptions;
  /** The workspace: tools work here and nowhere else. */
  readonly root: string;
  /** The system prompt. By default our own, with the `AGENTS.md` of the workspace. */
  readonly system?: string;
  /** By default all that come with the agent. */
  readonly tools?: readonly Tool[];
  /** Where tools read and write text files; by default the disk. */
  readonly files?: Files;
  /** Which changes need approval. */
  readonly approval?: ApprovalMode;
  /** Asks the user. Without it, every call that needs approval is declined. */
  readonly approve?: Approve;
  /** Which detectors watch and what is done about a loop. */
  readonly preset?: PresetName;
  /** In place of the preset's. */
  readonly detectors?: readonly Detector[];
  readonly policy?: Policy;
  /** What is known about tools beyond their names. */
  readonly toolRules?: ToolRules;
  /** Watch nothing. */
  readonly disableDetection?: boolean;
  /** How many clean calls after a steer count as recovered. */
  readonly recovery?: number;
  /** Takes one turn where the policy escalates. */
  readonly stronger?: Stronger;
  readonly judge?: Judge;
  /** The maximum number of model requests for one message of the user. */
  readonly maxTurns?: number;
  /** The size of the model's context, in tokens. */
  readonly contextTokens?: number;
  /** The history is compressed when it fills this part of the context, between 0 and 1. */
  readonly compressAt?: number;
  readonly maxOutputTokens?: number;
  /** How many times a request is sent again, after a pause, when the provider could not accept it. */
  readonly retries?: number;
  /** How long the model may send nothing before the request fails. */
  readonly silenceSeconds?: number;
  /** The id of a new session; by default a random UUID. */
  readonly sessionId?: string;
  /** Where the session is saved. Without it, the session is not saved. */
  readonly sessionFile?: string;
  /** A saved session to continue. */
  readonly session?: Session;
  /** Kept out of the session file, the log and messages. */
  readonly secrets?: readonly string[];
  readonly environment?: { readonly [name: string]: string | undefined };
  readonly log?: (level: LogLevel, message: string, data?: unknown) => void;
  readonly trace?: Trace;
  readonly onFault?: (fault: Fault) => void;
}
