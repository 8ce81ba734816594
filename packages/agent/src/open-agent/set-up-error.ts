import { ModelError, type ModelProblem } from '../model/create-model.js';
import { SettingsError, type SettingsProblem } from '../settings/settings-error.js';
import { environmentPlaces, type Places, setUpInWords } from './set-up-words.js';

/** What the user must fix before the agent can work, as data for a user interface. */
export type SetUpProblem =
  | ModelProblem
  | { readonly type: 'settings'; readonly problems: readonly SettingsProblem[] }
  /** The folder does not exist; without a path, no folder is open. */
  | { readonly type: 'folder'; readonly path?: string }
  /** The requested session does not exist, or several match. */
  | {
      readonly type: 'session';
      readonly wanted: string | true;
      readonly root: string;
      /** How many sessions match. */
      readonly matches: number;
      /** Some sessions to choose from. */
      readonly found: readonly { readonly id: string; readonly title: string }[];
    }
  /** Another check has failed; there is only its message. */
  | { readonly type: 'other'; readonly message: string };

/** Something that the user must fix before the agent can work. The message says what and where. */
export class SetUpError extends Error {
  override readonly name = 'SetUpError';
  readonly problem: SetUpProblem;

  constructor(
    problem: SetUpProblem,
    { places = environmentPlaces, cause }: { readonly places?: Places; readonly cause?: unknown } = {},
  ) {
    super(setUpInWords(problem, places), { cause });
    this.problem = problem;
  }
}

/** Turns errors of the agent's own checks into `SetUpError`. Any other error is a fault and is rethrown. */
export function setUp<Value>(make: () => Value, places: Places): Value {
  try {
    return make();
  } catch (cause) {
    if (cause instanceof TypeError || cause instanceof RangeError)
      throw new SetUpError(problemOf(cause), { places, cause });
    throw cause;
  }
}

function problemOf(cause: Error): SetUpProblem {
  if (cause instanceof ModelError) return cause.problem;
  if (cause instanceof SettingsError) return { type: 'settings', problems: cause.problems };
  return { type: 'other', message: cause.message };
}
