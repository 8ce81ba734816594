import { type Choice, type Detector, interactive, ladder, type Policy, shadow, unattended } from 'loopfuse';
import { balanced, deepvCode, geminiCli, qwenCode } from 'loopfuse/presets';

/** How an agent behaves when it is seen to loop: which detectors watch, and what is done. One row for each preset. */
export interface Manner {
  /** `model` tells the name of the model in use, for presets that are stricter with some. */
  detectors(model: () => string): readonly Detector[];
  /** Where the settings name none. */
  readonly policy: PolicyName;
  /** Whether what repeated is put into the history when the run is halted. */
  readonly feedback: boolean;
  /** What a person is offered; by default whatever makes sense for the loop. */
  readonly choices?: readonly Choice[];
  /** Whether a choice other than `stop` takes the halted request up again. */
  readonly resumes: boolean;
}

export const presetNames = ['balanced', 'gemini-cli', 'qwen-code', 'deepv-code'] as const;
export type PresetName = (typeof presetNames)[number];

/** The ancestors halt at the first sight of a loop and tell the model nothing about it, but for DeepV Code. */
export const manners: { readonly [Name in PresetName]: Manner } = {
  balanced: { detectors: () => balanced(), policy: 'interactive', feedback: true, resumes: true },
  'gemini-cli': {
    detectors: () => geminiCli(),
    policy: 'stop',
    feedback: false,
    choices: ['stop', 'disable'],
    resumes: true,
  },
  'qwen-code': {
    detectors: () => qwenCode(),
    policy: 'stop',
    feedback: false,
    choices: ['stop', 'disable'],
    resumes: false,
  },
  'deepv-code': {
    detectors: (model) => deepvCode({ model }),
    policy: 'stop',
    feedback: true,
    choices: ['stop'],
    resumes: false,
  },
};

export const policyNames = ['interactive', 'unattended', 'ask', 'stop', 'shadow'] as const;
export type PolicyName = (typeof policyNames)[number];

export const policies: { readonly [Name in PolicyName]: Policy } = {
  interactive,
  unattended,
  ask: ladder({ steers: 0, last: 'ask' }),
  stop: ladder({ steers: 0, last: 'stop' }),
  shadow,
};
