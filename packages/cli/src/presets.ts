import type { Detector, ToolRules } from 'loopfuse';
import { balanced, deepvCode, geminiCli, qwenCode } from 'loopfuse/presets';

/** A preset as the commands offer it. */
export interface Preset {
  readonly name: string;
  /** A few words for the help. */
  readonly about: string;
  /** The detectors for a session; the model it ran on matters to some. */
  detectorsFor(session: { readonly model?: string }): readonly Detector[];
  /** What it knows about tools beyond their names. */
  readonly tools?: ToolRules;
}

/** Every preset, the default first. */
export const presets: readonly Preset[] = [
  shared('balanced', 'ours: looks at results, not only at calls', balanced),
  shared('gemini-cli', 'what Gemini CLI would have seen', geminiCli),
  shared('qwen-code', 'what Qwen Code would have seen', qwenCode),
  {
    name: 'deepv-code',
    about: 'what DeepV Code would have seen',
    detectorsFor: (session) => deepvCode({ model: () => session.model ?? '' }),
  },
];

/** Detectors are values, so all sessions share one list. */
function shared(name: string, about: string, make: () => readonly Detector[]): Preset {
  let detectors: readonly Detector[] | undefined;
  return {
    name,
    about,
    detectorsFor() {
      detectors ??= make();
      return detectors;
    },
  };
}
