import type { Detector, ToolRules } from 'loopfuse';
import { presets as known, presetNames } from 'loopfuse/presets';

/** A preset as the commands offer it. */
export interface Preset {
  readonly name: string;
  /** A few words for the help. */
  readonly about: string;
  /** The detectors for a session; some depend on its model. */
  detectorsFor(session: { readonly model?: string }): readonly Detector[];
  /** Rules for tools, from a settings file. */
  readonly tools?: ToolRules;
  /** Another agent's detection: it halts at the first loop that it detects, and reports everything after that as looping. */
  readonly isAncestor?: true;
}

/** Every preset, the default first. Detectors are values, so all sessions of a model share one list. */
export const presets: readonly Preset[] = presetNames.map((name) => {
  const { description, make } = known[name];
  const lists = new Map<string, readonly Detector[]>();
  return {
    name,
    about: description,
    ...(known[name].judge === 'ancestors' ? { isAncestor: true as const } : {}),
    detectorsFor({ model = '' }) {
      const list = lists.get(model) ?? make({ model: () => model });
      lists.set(model, list);
      return list;
    },
  };
});
