/** The exit codes of all commands. The help of each command lists its own. */
export const exitCode = {
  fine: 0,
  /** An internal error, or a file or stream that failed. */
  failed: 1,
  /** Wrong usage: an unknown option or command, a path that is not there. */
  usage: 2,
  /** Something loops, and the caller asked for this code. */
  looping: 3,
  /** A request ended without being done: its answer was cut, filtered or empty, or something needed approval. */
  incomplete: 4,
  /** The turn limit of a request was reached. */
  turnLimit: 53,
  /** A loop ended the run. */
  loopStopped: 86,
  /** Ctrl-C; other signals that end a run have their usual codes, see `endingCodes`. */
  interrupted: 130,
} as const;
