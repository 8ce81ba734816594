import type { Terminal } from './terminal/terminal.js';

/** What a command may touch of the process it runs in. */
export interface Shell {
  readonly out: Terminal;
  readonly err: Terminal;
  /** A copy: variables that are removed from the process remain in it. */
  readonly env: NodeJS.ProcessEnv;
  /** The streams themselves, for drawing on them and for reading keys. */
  readonly streams: {
    readonly stdin: NodeJS.ReadStream;
    readonly stdout: NodeJS.WriteStream;
    readonly stderr: NodeJS.WriteStream;
  };
  /** How the user starts this program, for hints that can be copied. */
  readonly command: string;
  /** Whether the process is ours alone, so that its environment may be cleaned. */
  readonly ownsProcess?: boolean;
  /** Set while other processes depend on this one: it continues when its output can no longer be written. */
  outlivesOutput?: boolean;
  /** Must be right at any time: when a reader goes away (`| head`), the process ends with it. */
  exitCode: number;
}
