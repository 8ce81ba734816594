import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Shell } from '../shell.js';

/**
 * Runs a command whose report may be longer than the screen. Its output is collected, and shown in the user's pager if it
 * does not fit. Without a pager, without a terminal, and in CI it is printed as it comes.
 */
export async function paged(shell: Shell, run: (shell: Shell) => Promise<void>): Promise<void> {
  const pager = pagerFor(shell);
  if (pager === undefined) return run(shell);
  let text = '';
  try {
    await run({
      ...shell,
      out: {
        ...shell.out,
        async write(more) {
          text += more;
        },
      },
      get exitCode() {
        return shell.exitCode;
      },
      set exitCode(code) {
        shell.exitCode = code;
      },
    });
  } finally {
    const fits = text.split('\n').length <= shell.streams.stdout.rows;
    if (fits || !(await shownIn(pager, text, shell.env))) await shell.out.write(text);
  }
}

/** The pager, found as git does. `undefined` without a terminal, in CI, or if the user has switched it off. */
function pagerFor({ out, env }: Shell): Pager | undefined {
  if (!out.isInteractive || env.CI || env.TERM === 'dumb') return undefined;
  const command = env.LOOPFUSE_PAGER ?? env.PAGER;
  if (command === undefined) return process.platform === 'win32' ? undefined : { command: 'less', isOurs: true };
  return ['', 'cat'].includes(command.trim()) ? undefined : { command, isOurs: false };
}

interface Pager {
  readonly command: string;
  /** Our default, not the user's choice; it is started without a shell. */
  readonly isOurs: boolean;
}

/** As git sets them: `less` shows colours, quits if everything fits, and leaves the text on the screen. */
const defaults = { LESS: 'FRX', LV: '-c' };

/** Resolves when the user has left the pager; with false if it could not be started. */
async function shownIn({ command, isOurs }: Pager, text: string, env: NodeJS.ProcessEnv): Promise<boolean> {
  const child = spawn(command, { shell: !isOurs, stdio: ['pipe', 'inherit', 'inherit'], env: { ...defaults, ...env } });
  const ignore = () => {}; // Ctrl-C is for the pager
  process.on('SIGINT', ignore);
  child.stdin.on('error', ignore); // it was left before the end
  child.stdin.end(text);
  try {
    const [code] = (await once(child, 'close')) as [number | null];
    return code !== 126 && code !== 127; // a shell's codes for a program that it cannot run
  } catch {
    return false;
  } finally {
    process.off('SIGINT', ignore);
  }
}
