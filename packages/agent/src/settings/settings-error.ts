import { setUpInWords } from '../open-agent/set-up-words.js';

/** A value that cannot be used: where it stands, and what is allowed there. */
export interface SettingsProblem {
  /** Absent for what goes before the files. */
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
