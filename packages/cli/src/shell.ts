import type { Terminal } from './terminal/terminal.js';

/** What a command may touch of the process it runs in. */
export interface Shell {
  readonly out: Terminal;
  readonly err: Terminal;
  /** A copy: what is taken out of the process stays here. */
  readonly env: NodeJS.ProcessEnv;
  /** The streams themselves, for what draws on them or reads keys. */
  readonly streams: {
    readonly stdin: NodeJS.ReadStream;
    readonly stdout: NodeJS.WriteStream;
    readonly stderr: NodeJS.WriteStream;
  };
  /** How people start this program, for hints that can be copied. */
  readonly command: string;
  /** Whether the process is ours alone, so that its environment may be cleaned. */
  readonly ownsProcess?: boolean;
  /** Set while others depend on the process: it goes on where its output cannot be written any more. */
  outlivesOutput?: boolean;
  /** Counts at once: a reader that goes away (`| head`) ends the process with it. */
  exitCode: number;
}
