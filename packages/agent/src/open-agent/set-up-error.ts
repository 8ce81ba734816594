import { ModelError, type ModelProblem } from '../model/create-model.js';
import { SettingsError, type SettingsProblem } from '../settings/settings-error.js';
import { environmentPlaces, type Places, setUpInWords } from './set-up-words.js';

/** What a person must set right before the agent can work: data, for a face to put into words and to lead to. */
export type SetUpProblem =
  | ModelProblem
  | { readonly type: 'settings'; readonly problems: readonly SettingsProblem[] }
  /** There is no such folder; without a path, none is open. */
  | { readonly type: 'folder'; readonly path?: string }
  /** The session that was asked for is not there, or it is not clear which one is meant. */
  | {
      readonly type: 'session';
      readonly wanted: string | true;
      readonly root: string;
      /** How many are called so. */
      readonly matches: number;
      /** Some that could be meant. */
      readonly found: readonly { readonly id: string; readonly title: string }[];
    }
  /** A check further inside has refused it; its own words are all there is. */
  | { readonly type: 'other'; readonly message: string };

/** Something that a person must set right before the agent can work. The message says what and where. */
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

/** What the agent's own checks refuse is for the person to set right; anything else is a fault and passes through. */
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
