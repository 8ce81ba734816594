import { ModelError, type ModelProblem } from '../model/create-model.js';
import { SettingsError } from '../settings/settings-error.js';

/** What has to be set right, for a face that can lead to it. */
export type SetUpProblem = ModelProblem | { readonly type: 'settings' | 'folder' };

/** Something that a person must set right before the agent can work. The message says what, and how. */
export class SetUpError extends Error {
  override readonly name = 'SetUpError';
  /** Absent where the message is all there is. */
  readonly problem: SetUpProblem | undefined;

  constructor(
    message: string,
    options: { readonly cause?: unknown; readonly problem?: SetUpProblem | undefined } = {},
  ) {
    super(message, options);
    this.problem = options.problem;
  }
}

/** What the agent's own checks refuse is for the person to set right; anything else is a fault and passes through. */
export function setUp<Value>(make: () => Value): Value {
  try {
    return make();
  } catch (cause) {
    if (cause instanceof TypeError || cause instanceof RangeError)
      throw new SetUpError(cause.message.replace(/^create\w+: /, ''), { cause, problem: problemOf(cause) });
    throw cause;
  }
}

function problemOf(cause: Error): SetUpProblem | undefined {
  if (cause instanceof ModelError) return cause.problem;
  return cause instanceof SettingsError ? { type: 'settings' } : undefined;
}
