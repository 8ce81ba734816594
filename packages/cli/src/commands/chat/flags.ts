import type { ApprovalMode, ProviderName, Settings } from '@loopfuse/agent';
import type { Price } from '@loopfuse/prices';
import type { PolicyName } from 'loopfuse';
import type { PresetName } from 'loopfuse/presets';

export const outputFormats = ['text', 'json', 'stream-json'] as const;
export type OutputFormat = (typeof outputFormats)[number];

/** What to do about a loop with `-p`: send the model a message, and stop if that does not help; stop at once; ask. */
export const onLoopChoices = ['steer', 'stop', 'ask'] as const;
export type OnLoop = (typeof onLoopChoices)[number];

/** The options of the command line. */
export interface ChatFlags {
  /** The first message of a chat. */
  readonly message?: string;
  /** The one request of a run without a chat. */
  readonly prompt?: string;
  readonly provider?: ProviderName;
  readonly model?: string;
  readonly baseUrl?: string;
  readonly price?: Price;
  readonly preset?: PresetName;
  readonly policy?: PolicyName;
  /** `--no-loop-detection` makes it false. */
  readonly loopDetection: boolean;
  readonly rewinds?: number;
  readonly escalateTo?: string;
  readonly approval?: ApprovalMode;
  /** The model that gives a second opinion; false for `--no-judge`. */
  readonly judge?: string | false;
  readonly maxTurns?: number;
  readonly cwd?: string;
  /** True for the latest session. */
  readonly resume?: string | true;
  readonly trustProject?: boolean;
  readonly outputFormat?: OutputFormat;
  readonly onLoop?: OnLoop;
}

/** The flags that are settings, too; they override the files. */
export function settingsOf(flags: ChatFlags): Settings {
  const { provider, model, baseUrl, preset, policy, rewinds, escalateTo, approval, judge, maxTurns, loopDetection } =
    flags;
  return {
    ...(provider === undefined ? {} : { provider }),
    ...(model === undefined ? {} : { model }),
    ...(baseUrl === undefined ? {} : { baseURL: baseUrl }),
    ...(preset === undefined ? {} : { preset }),
    ...(policy === undefined ? {} : { policy }),
    ...(rewinds === undefined ? {} : { rewinds }),
    ...(escalateTo === undefined ? {} : { escalate: { model: escalateTo } }),
    ...(approval === undefined ? {} : { approval }),
    ...(judge === undefined ? {} : { judge: judge === false ? { disable: true } : { model: judge, disable: false } }),
    ...(maxTurns === undefined ? {} : { maxTurns }),
    ...(loopDetection ? {} : { disable: true }),
  };
}
