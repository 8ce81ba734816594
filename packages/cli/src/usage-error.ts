/** The command was asked for something that it cannot do as asked. Reported in one line, without a stack; exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
