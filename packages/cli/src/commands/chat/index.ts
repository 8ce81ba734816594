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
      'A coding agent in this folder that notices when it goes round in circles: it tells the model, and where that does not help it asks you. With -p one request is worked on to its end, for scripts.',
    )
    .argument('[message...]', 'what to begin with; the chat goes on after it')
    .option('-p, --prompt <text>', 'work on this and end; what is piped in is its context')
    .addOption(new Option('--provider <name>', 'who runs the model').choices(Object.keys(providerChoices)))
    .option('-m, --model <name>', 'the model, as the provider calls it; without it, the chat asks')
    .option('--base-url <url>', 'the address of the provider, if it is not the usual one')
    .addOption(new Option('--price <in,out>', 'dollars for a million tokens, for the cost line').argParser(parsePrice))
    .addOption(
      new Option('--approval <mode>', 'which changes need your approval').choices(Object.keys(approvalChoices)),
    )
    .addOption(new Option('--preset <name>', 'which detectors watch').choices(presets.map(({ name }) => name)))
    .addOption(new Option('--policy <name>', 'what is done about a loop').choices(policyNames))
    .option('--judge <model>', 'a model that gives a second opinion; presets of other agents ask the same model')
    .option('--no-judge', 'no second opinion, whatever the preset says')
    .addOption(
      new Option('--rewinds <n>', 'times a loop is taken out of the context of the model').argParser(parseCount),
    )
    .option('--escalate-to <model>', 'a stronger model that takes one turn when the model loops on')
    .option('--no-loop-detection', 'watch nothing')
    .addOption(new Option('--max-turns <n>', 'model requests for one message at most').argParser(parseCount))
    .option('-C, --cwd <folder>', 'the folder to work in')
    .option('-r, --resume [id]', 'go on with a session of this folder; without an id the latest')
    .option('--trust-project', "let this project's settings file set addresses and approval")
    .addOption(new Option('-o, --output-format <format>', 'with -p: what is printed').choices(outputFormats))
    .addOption(new Option('--on-loop <what>', 'with -p: what is done about a loop').choices(onLoopChoices))
    .addHelpText('after', help())
    .showHelpAfterError(`Run "${shell.command} chat --help" to see how it is used.`)
    .action(async (words: readonly string[], flags: ChatFlags) => {
      const { chat } = await import('./chat.js');
      await chat(words.length === 0 ? flags : { ...flags, message: words.join(' ') }, shell);
    });
}

function parseCount(text: string): number {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1) throw new InvalidArgumentError('It is a whole number of at least 1.');
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

Where no model is set, the chat asks for provider, model and key; with -p the
default model of the provider is taken, and standard error says which. A key
that is typed is kept for that run only.

In the chat, / lists the commands (/output shows all that a call has written,
/loop what watches for loops); where a call needs approval, i refuses it and
says what to do instead.

Examples:
  loopfuse chat -m claude-sonnet-4-5
  loopfuse chat "fix the failing test"            begins with that
  loopfuse chat --base-url http://127.0.0.1:8080/v1 -m local-model
  loopfuse chat --resume                          where you left off
  loopfuse chat -p "why does the build fail?" < build.log
  loopfuse chat -p "fix the tests" --approval yolo --max-turns 40
  loopfuse chat -p "…" -o json | jq .loop.explanation

With -p, --on-loop steer (the default) tells the model twice and then stops,
stop ends the run at the first loop, ask needs a terminal. json prints one
object at the end, stream-json one for every event. Changes that need approval
are refused where nobody can give it, so choose --approval.

Settings are read from .loopfuse/settings.json here and in the home folder;
flags go before both. The model is told what AGENTS.md in this folder says.
Sessions are kept under ~/.loopfuse/sessions. Where OTEL_EXPORTER_OTLP_ENDPOINT
is set, spans and counters go there.

Exit codes: 0 done, 1 an error, 2 wrong usage or settings, 4 ended and not done
(the answer was cut, filtered or empty, or a call needed approval), 53 the turns
were used up, 86 a loop ended the run; 129, 130, 141 and 143 ended by SIGHUP,
Ctrl-C, a reader that went away (| head) and SIGTERM. The result is written in
all of them, and no command that the agent started goes on.`;
}

function table(choices: { readonly [name: string]: string }): string {
  const longest = Math.max(...Object.keys(choices).map((name) => name.length));
  return Object.entries(choices)
    .map(([name, about]) => `  ${name.padEnd(longest)}  ${about}`)
    .join('\n');
}
