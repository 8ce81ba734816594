import { type Preset, presets } from '../../presets.js';
import { UsageError } from '../../usage-error.js';

/** A preset by its name, or a settings file as a preset. Throws `UsageError` if it is neither. */
export async function presetNamed(name: string): Promise<Preset> {
  const known = presets.find((preset) => preset.name === name);
  if (known) return known;
  if (!/[./\\]/.test(name))
    throw new UsageError(
      `There is no preset ${JSON.stringify(name)}. There are ${presets.map((preset) => preset.name).join(', ')}; a settings file is named with its ending, as in strict.json.`,
    );
  const { guardSettings, readSettingsFile, SettingsError } = await import('@loopfuse/agent');
  try {
    const { settings, warnings } = readSettingsFile(name);
    // A chat warns about an unknown key. Here the settings are being tested, and a typo would make the test meaningless.
    if (warnings.length > 0) throw new UsageError(warnings.map((one) => one.replace(' and is ignored', '')).join('\n'));
    return {
      name,
      about: `the settings in ${name}`,
      detectorsFor: ({ model = '' }) => guardSettings(settings, () => model).detectors,
      tools: guardSettings(settings, () => '').toolRules,
    };
  } catch (cause) {
    throw cause instanceof SettingsError ? new UsageError(cause.message) : cause;
  }
}
