import { type Command, Option } from 'commander';
import { presets } from '../../presets.js';
import type { Shell } from '../../shell.js';
import { addJudgeFlags, type JudgeFlags } from '../gateway/judge.js';

interface Flags extends JudgeFlags {
  readonly onLoop: 'steer' | 'stop' | 'shadow';
  readonly preset: string;
  readonly json?: string;
  readonly upstream?: string;
  readonly trace?: string;
  readonly quiet?: boolean;
}

/** `loopfuse run [flags] -- PROGRAM [ARGUMENT…]` */
export function addRun(program: Command, shell: Shell): void {
  const names = presets.map(({ name }) => name);
  const command = program
    .command('run')
    .description(
      'Runs an agent with a guard between it and its model. When the agent loops, the model gets a message; then its call is refused; at last the run is ended.',
    )
    .argument('<command...>', 'the agent as you would start it')
    .usage('[options] -- <command...>')
    .addOption(
      new Option('--on-loop <how>', 'send the model a message before stopping, stop at once, or only watch')
        .choices(['steer', 'stop', 'shadow'])
        .default('steer'),
    )
    .addOption(new Option('--preset <name>', 'which detectors to use').choices(names).default(names[0]))
    .option('--upstream <url>', 'the address of the model, if the agent has none set')
    .option('--json <file>', 'write a report of the run there')
    .option('--trace <file>', 'record what the agent did, for scan and replay; it holds prompts and results')
    .option('-q, --quiet', 'do not print the summary line');
  addJudgeFlags(command)
    .passThroughOptions()
    .addHelpText('after', help)
    .showHelpAfterError(`Run "${shell.command} run --help" for usage.`)
    .action(async (command: string[], flags: Flags) => {
      const { run } = await import('./run.js');
      const preset = presets.find(({ name }) => name === flags.preset)!;
      await run(command, { ...flags, preset }, shell);
    });
}

const help = `
Examples:
  loopfuse run -- claude -p "fix the failing test"
  loopfuse run -- codex exec "fix the failing test"
  loopfuse run --on-loop stop --json report.json -- gemini -p "…" --yolo
  loopfuse run -- python my_agent.py      any program that reads OPENAI_BASE_URL

It starts a gateway of its own on a free port of this machine and points the
agent at it, by environment and flags: claude, codex, gemini, qwen, opencode,
copilot, cline and pi are known. Other programs get ANTHROPIC_BASE_URL,
OPENAI_BASE_URL, OPENAI_API_BASE and GOOGLE_GEMINI_BASE_URL. If you have set a
base URL, requests are forwarded to it. Your configuration is not changed. Keys
are forwarded, and neither stored nor shown. A judge uses LOOPFUSE_JUDGE_KEY, or
the key of its provider.

Exit codes: 86 a loop ended the run, 2 wrong usage or no such program,
otherwise that of the agent (128 and the number of the signal that ended it).`;
