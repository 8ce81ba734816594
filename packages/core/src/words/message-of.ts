/** What something that was thrown says; a value without words is named by its type. Never throws. */
export function messageOf(cause: unknown): string {
  if (typeof cause === 'string') return cause;
  try {
    const message = (cause as { message?: unknown } | null | undefined)?.message;
    if (typeof message === 'string') return message;
  } catch {
    // A getter of something foreign; its type is all there is to say.
  }
  return `a value of type ${cause === null ? 'null' : typeof cause} was thrown`;
}
