import { z } from 'zod';
import { texts } from '../../texts/texts.js';
import { maxOutput } from '../../workspace/clip.js';
import { defineTool, type Tool } from '../tool.js';
import { commandCovers, namesSensitivePath } from './command-covers.js';
import { cleanEnvironment, type Environment } from './environment.js';
import { type Ended, runProgram } from './run-program.js';

export interface ShellOptions {
  /** The time limit of a command that sets none. */
  readonly timeoutSeconds?: number;
  readonly environment?: Environment;
}

const longest = 1800;

export function runShellCommand({ timeoutSeconds = 120, environment = process.env }: ShellOptions = {}): Tool {
  if (!(timeoutSeconds > 0 && timeoutSeconds <= longest))
    throw new RangeError(
      `runShellCommand: timeoutSeconds must be more than 0 and at most ${longest}, got ${String(timeoutSeconds)}`,
    );
  return defineTool({
    name: 'run_shell_command',
    description: texts['tools/run-shell-command/run-shell-command.md']
      .replace('{{timeout}}', String(timeoutSeconds))
      .replace('{{longest}}', String(longest)),
    schema: z.object({
      command: z.string().min(1).describe('The command, as it would be typed in a terminal.'),
      timeout_seconds: z.number().positive().max(longest).optional().describe('After how many seconds to end it.'),
      description: z.string().optional().describe('What it is for, in a few words for the user.'),
    }),
    effect: 'run',
    title: ({ command }) => command,
    preview: async ({ command }, { workspace }) => ({ type: 'command', command, folder: workspace.root }),
    covers: ({ command }, { workspace }) => commandCovers(command, workspace),
    isSensitive: async ({ command }) => namesSensitivePath(command),
    async run({ command, timeout_seconds = timeoutSeconds }, { workspace, signal, onOutput }) {
      const ended = await runProgram(shell, [...shellArguments, command], {
        cwd: workspace.root,
        env: { ...cleanEnvironment(environment), ...quiet },
        signal,
        milliseconds: timeout_seconds * 1000,
        most: maxOutput - 100,
        onOutput,
      });
      return { output: inWords(ended, timeout_seconds), failed: ended.type !== 'exit' || ended.code !== 0 };
    },
  });
}

const windows = process.platform === 'win32';
const shell = windows ? (process.env.ComSpec ?? 'cmd.exe') : '/bin/sh';
const shellArguments = windows ? ['/d', '/s', '/c'] : ['-c'];

/** So that no command waits at a pager or a prompt, or uses colors. */
const quiet = { PAGER: 'cat', GIT_PAGER: 'cat', GIT_TERMINAL_PROMPT: '0', TERM: 'dumb', NO_COLOR: '1', CI: '1' };

function inWords(ended: Ended, seconds: number): string {
  const output = ended.output.trimEnd();
  const end = endOf(ended, seconds);
  if (output === '') return end === '' ? '(no output)' : end;
  return end === '' ? output : `${output}\n${end}`;
}

function endOf(ended: Ended, seconds: number): string {
  switch (ended.type) {
    case 'exit':
      return ended.code === 0 ? '' : `Exit code ${ended.code}.`;
    case 'signal':
      return `Ended by ${ended.signal}.`;
    case 'timeout':
      return `Ended: it was not done after ${seconds} seconds.`;
    case 'aborted':
      return 'Cancelled by the user.';
    case 'not-started':
      return `It could not be started: ${ended.message}`;
  }
}
