/** An error that the user can correct. Reported in one line, without a stack; exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
