import { setUpInWords } from '../open-agent/set-up-words.js';

/** An invalid value: where it is, and what is allowed there. */
export interface SettingsProblem {
  /** Absent for overrides. */
  readonly file?: string;
  /** As in "detectors.stale-rounds.times"; empty for the whole file. */
  readonly key: string;
  readonly message: string;
}

/** Settings that cannot be used. The message names every file, key and what is allowed. */
export class SettingsError extends TypeError {
  override readonly name = 'SettingsError';
  readonly problems: readonly SettingsProblem[];

  constructor(problems: readonly SettingsProblem[]) {
    super(setUpInWords({ type: 'settings', problems }));
    this.problems = problems;
  }
}
