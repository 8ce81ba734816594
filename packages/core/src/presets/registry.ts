import type { Detector } from '../detector.js';
import type { PolicyName } from '../policies.js';
import type { Choice } from '../policy.js';
import { balanced } from './balanced.js';
import { deepvCode, isPreviewModel } from './deepv-code.js';
import { geminiCli } from './gemini-cli.js';
import { qwenCode } from './qwen-code.js';

/** A preset as every user interface offers it: which detectors watch, and how loops are handled by default. */
export interface Preset {
  readonly title: string;
  /** A few words for help and menus. */
  readonly description: string;
  /** The detectors. They are values and may be shared by all sessions of the same model. */
  make(session?: PresetSession): readonly Detector[];
  /** When a judge is asked: by default, when there is evidence. */
  readonly judge?: 'ancestors';
  readonly policy: PolicyName;
  /** Whether the model gets a message about what repeated when the run is halted. */
  readonly feedback: boolean;
  /** The choices offered to the user; by default, those that make sense for the loop. */
  readonly choices?: readonly Choice[];
  /** Whether a choice other than `stop` resumes the halted request. */
  readonly resumes: boolean;
  /** What to log about a model that is watched differently from others. */
  noteOn?(model: string): string | undefined;
}

export interface PresetSession {
  /** The name of the model in use, asked at each prompt; some presets are stricter with some models. Must not throw. */
  readonly model?: () => string;
}

/**
 * Every preset, the default first. A preset added here is known to every user interface, to the drop-in service and to
 * the settings. The ancestors halt at the first loop and, except for DeepV Code, send the model no message about it.
 */
const rows = {
  balanced: {
    title: 'Balanced',
    description: 'ours: looks at results, not only at calls',
    make: () => balanced(),
    policy: 'interactive',
    feedback: true,
    resumes: true,
  },
  'gemini-cli': {
    title: 'Gemini CLI',
    description: 'what Gemini CLI would have seen',
    make: () => geminiCli(),
    judge: 'ancestors',
    policy: 'stop',
    feedback: false,
    choices: ['stop', 'disable'],
    resumes: true,
  },
  'qwen-code': {
    title: 'Qwen Code',
    description: 'what Qwen Code would have seen',
    make: () => qwenCode(),
    judge: 'ancestors',
    policy: 'stop',
    feedback: false,
    choices: ['stop', 'disable'],
    resumes: false,
  },
  'deepv-code': {
    title: 'DeepV Code',
    description: 'what DeepV Code would have seen',
    make: (session = {}) => deepvCode(session),
    judge: 'ancestors',
    policy: 'stop',
    feedback: true,
    choices: ['stop'],
    resumes: false,
    noteOn: (model) =>
      isPreviewModel(model) ? `${model} is a preview model: calls are counted by tool as well.` : undefined,
  },
} as const satisfies { readonly [name: string]: Preset };

/** The name of a preset, as settings and flags give it. */
export type PresetName = keyof typeof rows;

/** Every preset by its name. Every user interface offers all of them. */
export const presets: { readonly [Name in PresetName]: Preset } = rows;

/** The names of `presets`, in the order of menus. */
export const presetNames = Object.keys(presets) as [PresetName, ...PresetName[]];

/** The preset with a name that came from outside. Throws a `TypeError` that lists the valid names. */
export function presetNamed(name: string, where = 'preset'): Preset {
  if (Object.hasOwn(presets, name)) return presets[name as PresetName];
  throw new TypeError(`${where} must be one of ${presetNames.join(', ')}, got ${JSON.stringify(name)}`);
}
