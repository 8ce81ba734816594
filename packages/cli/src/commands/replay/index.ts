import { type Command, Option } from 'commander';
import { presets } from '../../presets.js';
import type { Shell } from '../../shell.js';

interface Flags {
  readonly preset?: string[];
  readonly json?: boolean;
  readonly prices?: string;
  readonly cache: boolean;
}

/** `loopfuse replay SESSION [PATH…]` */
export function addReplay(program: Command, shell: Shell): void {
  program
    .command('replay')
    .description(
      'Replays a recorded session with several presets and settings files: what each would have detected, when, and what it would have saved.',
    )
    .argument('<session>', "the session's id, the beginning of it, or its file")
    .argument('[path...]', 'where to look for it (default: the logs of the agents on this machine)')
    .addOption(
      new Option(
        '-p, --preset <name|file>',
        'a preset or a settings file to replay it with; repeatable (default: all presets)',
      ).argParser((name: string, chosen: string[] | undefined) => [...(chosen ?? []), name]),
    )
    .option('-j, --json', 'one JSON object a line for every preset')
    .option('--prices <file>', 'a JSON file of model prices; they override the built-in ones')
    .option('--no-cache', 'read everything again')
    .addHelpText('after', help)
    .showHelpAfterError(`Run "${shell.command} replay --help" for usage.`)
    .action(async (session: string, paths: string[], { preset, json = false, prices, cache }: Flags) => {
      const { replay } = await import('./replay.js');
      const { presetNamed } = await import('./preset-named.js');
      const chosen = preset === undefined ? presets : await Promise.all(preset.map(presetNamed));
      await replay(session, paths, { presets: chosen, json, prices, cache }, shell);
    });
}

const help = `
Examples:
  loopfuse replay 4555072a                        all presets
  loopfuse replay run.jsonl -p balanced -p qwen-code
  loopfuse replay lost-in-grep runs/ --json
  loopfuse replay 4555072a -p balanced -p strict.json

For tuning: compare a settings file with the presets before you use it, for
example {"detectors": {"stale-rounds": {"times": 3}}}.

How to read it: EVENT and CALL are where a preset would have stopped the agent,
SAVED is what the agent used from there to the end of that loop: the last event
at which balanced, or your settings, still saw it. If a preset stops where they
see no loop, nothing is saved.

Exit codes: 0 done, 2 wrong usage or no such session.`;
