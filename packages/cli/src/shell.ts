import type { Terminal } from './terminal/terminal.js';

/** What a command may touch of the process it runs in. */
export interface Shell {
  readonly out: Terminal;
  readonly err: Terminal;
  readonly env: NodeJS.ProcessEnv;
  /** The streams themselves, for what draws on them or reads keys. */
  readonly streams: {
    readonly stdin: NodeJS.ReadStream;
    readonly stdout: NodeJS.WriteStream;
    readonly stderr: NodeJS.WriteStream;
  };
  /** How people start this program, for hints that can be copied. */
  readonly command: string;
  /** Counts at once: a reader that goes away (`| head`) ends the process with it. */
  exitCode: number;
}
