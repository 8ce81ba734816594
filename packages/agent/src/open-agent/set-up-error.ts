/** Something that a person must set right before the agent can work. The message says what, and how. */
export class SetUpError extends Error {
  override readonly name = 'SetUpError';
}

/** What the agent's own checks refuse is for the person to set right; anything else is a fault and passes through. */
export function setUp<Value>(make: () => Value): Value {
  try {
    return make();
  } catch (cause) {
    if (cause instanceof TypeError || cause instanceof RangeError)
      throw new SetUpError(cause.message.replace(/^create\w+: /, ''), { cause });
    throw cause;
  }
}
