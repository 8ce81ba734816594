import type { Detector } from '../detector.js';
import type { PolicyName } from '../policies.js';
import type { Choice } from '../policy.js';
import { balanced } from './balanced.js';
import { deepvCode, isPreviewModel } from './deepv-code.js';
import { geminiCli } from './gemini-cli.js';
import { qwenCode } from './qwen-code.js';

/** A preset as every face offers it: which detectors watch, and how loops are handled where nothing else is said. */
export interface Preset {
  readonly title: string;
  /** A few words for help and menus. */
  readonly description: string;
  /** The detectors. They are values and may be shared by all sessions of the same model. */
  make(session?: PresetSession): readonly Detector[];
  /** When a judge is asked; by default when there is evidence. */
  readonly judge?: 'ancestors';
  readonly policy: PolicyName;
  /** Whether the model gets a message about what repeated when the run is halted. */
  readonly feedback: boolean;
  /** What a person is offered; by default whatever makes sense for the loop. */
  readonly choices?: readonly Choice[];
  /** Whether a choice other than `stop` takes the halted request up again. */
  readonly resumes: boolean;
  /** What to log about a model that is watched in another way than others. */
  noteOn?(model: string): string | undefined;
}

export interface PresetSession {
  /** The name of the model in use, asked at each prompt; some presets are stricter with some. Must not throw. */
  readonly model?: () => string;
}

/**
 * Every preset, the default first. A preset added here is known to every face, to the drop-in service and to the
 * settings. The ancestors halt at the first sight of a loop and, DeepV Code apart, tell the model nothing about it.
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

/** Every preset by its name. A preset added here is offered by every face. */
export const presets: { readonly [Name in PresetName]: Preset } = rows;

/** The names of `presets`, in the order of menus. */
export const presetNames = Object.keys(presets) as [PresetName, ...PresetName[]];

/** The preset of a name that came from outside. Throws a `TypeError` that says which names there are. */
export function presetNamed(name: string, where = 'preset'): Preset {
  if (Object.hasOwn(presets, name)) return presets[name as PresetName];
  throw new TypeError(`${where} must be one of ${presetNames.join(', ')}, got ${JSON.stringify(name)}`);
}
