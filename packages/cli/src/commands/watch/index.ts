import { type Command, InvalidArgumentError, Option } from 'commander';
import { presets } from '../../presets.js';
import type { Shell } from '../../shell.js';
import { gather } from '../scan/index.js';

interface Flags {
  readonly preset: string;
  readonly json?: boolean;
  readonly bell?: boolean;
  readonly notify?: boolean;
  readonly webhook?: string;
  readonly exec?: string;
  readonly agent?: readonly string[];
  readonly otlp?: number | true;
}

/** `loopfuse watch [PATH…]` */
export function addWatch(program: Command, shell: Shell): void {
  const names = presets.map(({ name }) => name);
  program
    .command('watch')
    .description('Follows the logs of running agents and warns as soon as one of them loops.')
    .argument('[path...]', 'logs or folders of them (default: the logs of the agents on this machine)')
    .addOption(new Option('-p, --preset <name>', 'which detectors to use').choices(names).default(names[0]))
    .option('--agent <name>', 'only sessions of this agent, such as claude-code; repeatable', gather)
    .option('--otlp [port]', 'take OpenTelemetry traces instead of files, on loopback (default: 4318)', parsePort)
    .option('-j, --json', 'one JSON object a line for every loop')
    .option('--bell', 'ring the bell of the terminal')
    .option('--notify', 'show a notification on the desktop (notify-send, osascript), at most 10 a minute')
    .option('--webhook <url>', 'post the JSON there, masked, at most 10 a minute', parseUrl)
    .option('--exec <command>', 'run a command line with the JSON on its standard input')
    .addHelpText('after', help)
    .showHelpAfterError(`Run "${shell.command} watch --help" for usage.`)
    .action(async (paths: string[], flags: Flags) => {
      const { watch } = await import('./watch.js');
      const { json = false, bell = false, notify = false, webhook, exec, agent } = flags;
      const preset = presets.find(({ name }) => name === flags.preset)!;
      const otlp = flags.otlp === true ? 4318 : flags.otlp;
      await watch(paths, { preset, json, bell, notify, webhook, exec, agents: agent, otlp }, shell);
    });
}

function parsePort(text: string): number {
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port < 65_536) return port;
  throw new InvalidArgumentError('Expected a port, for example 4318.');
}

function parseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return text;
  throw new InvalidArgumentError('Expected an http or https address, for example https://example.org/hook.');
}

const help = `
Examples:
  loopfuse watch                           every agent on this machine
  loopfuse watch --bell --notify           with sound and a notification
  loopfuse watch runs/ --exec 'jq -r .message >> loops.txt'
  loopfuse watch --webhook https://example.org/hook
  loopfuse watch --otlp                    agents of your own, by OpenTelemetry

An agent sends its traces there with
OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:4318. If this variable is set for
the watch itself, each loop is sent there as gen_ai.evaluation.result.

Every loop is reported once. The JSON of --json, --exec and --webhook has at,
session, agent, model, project, file, lane, detector, kind, seq, onset,
confidence, message and waste; that of --webhook also has text, the line that
chat tools show.

Loops from before the start are not reported, unless they are still going on.

Exit codes: 0 ended by Ctrl-C, 2 wrong usage or no such path.`;
