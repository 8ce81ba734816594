import { type Command, InvalidArgumentError, Option } from 'commander';
import { policies, policyNames } from 'loopfuse';
import { presets } from '../../presets.js';
import type { Shell } from '../../shell.js';
import { approvalChoices, providerChoices } from './choices.js';
import { type ChatFlags, onLoopChoices, outputFormats } from './flags.js';
import { parsePrice } from './price.js';

/** `loopfuse chat` */
export function addChat(program: Command, shell: Shell): void {
  program
    .command('chat')
    .description(
      'A coding agent in this folder that notices its own loops: it sends the model a message, and if that does not help, it asks you. With -p it handles one request and ends, for scripts.',
    )
    .argument('[message...]', 'the first message of the chat')
    .option('-p, --prompt <text>', 'run this one request and end; piped input is added as context')
    .addOption(new Option('--provider <name>', 'who runs the model').choices(Object.keys(providerChoices)))
    .option('-m, --model <name>', 'the model, as the provider calls it; without it, the chat asks')
    .option('--base-url <url>', 'the address of the provider, if it is not the usual one')
    .addOption(new Option('--price <in,out>', 'dollars for a million tokens, for the cost line').argParser(parsePrice))
    .addOption(
      new Option('--approval <mode>', 'which changes need your approval').choices(Object.keys(approvalChoices)),
    )
    .addOption(new Option('--preset <name>', 'which detectors to use').choices(presets.map(({ name }) => name)))
    .addOption(new Option('--policy <name>', 'what is done about a loop').choices(policyNames))
    .option('--judge <model>', 'a model that gives a second opinion; presets of other agents ask the same model')
    .option('--no-judge', 'no second opinion, whatever the preset says')
    .addOption(
      new Option('--rewinds <n>', 'how many times a loop is removed from the context of the model').argParser(
        parseCount,
      ),
    )
    .option('--escalate-to <model>', 'a stronger model that takes one turn if the loop continues')
    .option('--no-loop-detection', 'do not watch for loops')
    .addOption(new Option('--max-turns <n>', 'model requests for one message at most').argParser(parseCount))
    .option('-C, --cwd <folder>', 'the folder to work in')
    .option('-r, --resume [id]', 'go on with a session of this folder; without an id the latest')
    .option('--trust-project', "let this project's settings file set addresses and approval")
    .addOption(new Option('-o, --output-format <format>', 'with -p: what is printed').choices(outputFormats))
    .addOption(new Option('--on-loop <what>', 'with -p: what is done about a loop').choices(onLoopChoices))
    .addHelpText('after', help())
    .showHelpAfterError(`Run "${shell.command} chat --help" for usage.`)
    .action(async (words: readonly string[], flags: ChatFlags) => {
      const { chat } = await import('./chat.js');
      await chat(words.length === 0 ? flags : { ...flags, message: words.join(' ') }, shell);
    });
}

function parseCount(text: string): number {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1) throw new InvalidArgumentError('Expected a whole number of at least 1.');
  return count;
}

function help(): string {
  return `
Providers, and where their keys come from:
${table(providerChoices)}

Approval (reading never asks):
${table(approvalChoices)}

Policies:
${table(Object.fromEntries(policyNames.map((name) => [name, policies[name].description])))}

If no model is set, the chat asks for provider, model and key; with -p the
default model of the provider is used, and standard error says which. A key that
you type is kept for that run only.

In the chat, / lists the commands (/output shows the whole output of a call,
/loop the active detectors); when a call needs approval, i declines it and lets
you say what to do instead.

Examples:
  loopfuse chat -m claude-sonnet-4-5
  loopfuse chat "fix the failing test"            begins with that
  loopfuse chat --base-url http://127.0.0.1:8080/v1 -m local-model
  loopfuse chat --resume                          where you left off
  loopfuse chat -p "why does the build fail?" < build.log
  loopfuse chat -p "fix the tests" --approval yolo --max-turns 40
  loopfuse chat -p "…" -o json | jq .loop.explanation

With -p, --on-loop steer (the default) sends the model two messages and then
stops, stop ends the run at the first loop, ask needs a terminal. json prints
one object at the end, stream-json one for every event. Changes that need
approval are declined if nobody can give it, so choose --approval.

Settings are read from .loopfuse/settings.json here and in the home folder;
flags override both. The model gets the text of AGENTS.md in this folder.
Sessions are kept under ~/.loopfuse/sessions. If OTEL_EXPORTER_OTLP_ENDPOINT is
set, spans and counters are sent there.

Exit codes: 0 done, 1 an error, 2 wrong usage or settings, 4 ended and not done
(the answer was cut, filtered or empty, or a call needed approval), 53 the turn
limit was reached, 86 a loop ended the run; 129, 130, 141 and 143 ended by
SIGHUP, Ctrl-C, a closed output (| head) and SIGTERM. The result is written in
all of these cases, and every command that the agent started is ended.`;
}

function table(choices: { readonly [name: string]: string }): string {
  const longest = Math.max(...Object.keys(choices).map((name) => name.length));
  return Object.entries(choices)
    .map(([name, about]) => `  ${name.padEnd(longest)}  ${about}`)
    .join('\n');
}
