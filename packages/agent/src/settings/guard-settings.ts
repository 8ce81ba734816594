import type { Detector, ToolRules } from 'loopfuse';
import { presets } from 'loopfuse/presets';
import { tunedDetectors } from './detector-settings.js';
import type { Settings } from './settings.js';

export interface GuardSettings {
  readonly detectors: readonly Detector[];
  readonly toolRules: ToolRules;
}

/** Settings as detectors and tool rules. Only the thresholds of the balanced preset can be set; other presets have fixed ones. */
export function guardSettings(
  { preset = 'balanced', detectors, tools = {}, disable = false }: Settings,
  model: () => string,
): GuardSettings {
  const toolRules = tools as ToolRules;
  if (disable) return { detectors: [], toolRules };
  const isTuned = preset === 'balanced' && detectors !== undefined;
  return { detectors: isTuned ? tunedDetectors(detectors) : presets[preset].make({ model }), toolRules };
}
