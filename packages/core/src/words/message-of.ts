/** The message of a thrown value; a value without a message is named by its type. Never throws. */
export function messageOf(cause: unknown): string {
  if (typeof cause === 'string') return cause;
  try {
    const message = (cause as { message?: unknown } | null | undefined)?.message;
    if (typeof message === 'string') return message;
  } catch {
    // A getter of a foreign object threw; only its type can be named.
  }
  return `a value of type ${cause === null ? 'null' : typeof cause} was thrown`;
}
