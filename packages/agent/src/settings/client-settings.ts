import { policies } from 'loopfuse';
import { presets } from 'loopfuse/presets';
import type { ClientOptions } from '../client/client-options.js';
import { standardTools } from '../tools/tools.js';
import { tunedDetectors } from './detector-settings.js';
import type { Settings } from './settings.js';

type Told = Pick<
  ClientOptions,
  | 'preset'
  | 'detectors'
  | 'policy'
  | 'toolRules'
  | 'disableDetection'
  | 'recovery'
  | 'maxTurns'
  | 'contextTokens'
  | 'maxOutputTokens'
  | 'approval'
  | 'tools'
>;

/** Settings as options of `createClient`. Only the thresholds of the balanced preset can be set; other presets have fixed ones. */
export function clientSettings(settings: Settings, environment: ClientOptions['environment'] = process.env): Told {
  const { preset = 'balanced', policy, detectors, tools, disable, shellTimeoutSeconds } = settings;
  const tuned = preset === 'balanced' && detectors !== undefined ? { detectors: tunedDetectors(detectors) } : {};
  return {
    preset,
    ...tuned,
    policy: policies[policy ?? presets[preset].policy].make({
      rewinds: settings.rewinds ?? 0,
      escalations: settings.escalate === undefined ? 0 : (settings.escalate.times ?? 1),
    }),
    ...(tools === undefined ? {} : { toolRules: tools as NonNullable<ClientOptions['toolRules']> }),
    ...(disable === undefined ? {} : { disableDetection: disable }),
    ...copied(settings, ['recovery', 'maxTurns', 'contextTokens', 'maxOutputTokens', 'approval']),
    tools: standardTools({
      environment,
      ...(shellTimeoutSeconds === undefined ? {} : { timeoutSeconds: shellTimeoutSeconds }),
    }),
  };
}

function copied<Key extends keyof Settings & keyof Told>(settings: Settings, keys: readonly Key[]): Pick<Told, Key> {
  return Object.fromEntries(
    keys.flatMap((key) => (settings[key] === undefined ? [] : [[key, settings[key]]])),
  ) as unknown as Pick<Told, Key>;
}
