import { type Command, InvalidArgumentError, Option } from 'commander';
import { presets } from '../../presets.js';
import type { Shell } from '../../shell.js';
import { gather } from '../scan/index.js';
import { addJudgeFlags, type JudgeFlags } from './judge.js';

interface Flags extends JudgeFlags {
  readonly port: number;
  readonly host: string;
  readonly onLoop: 'steer' | 'stop' | 'shadow';
  readonly preset: string;
  readonly upstream?: readonly string[];
  readonly store: string;
  readonly journal?: string;
}

/** `loopfuse gateway` */
export function addGateway(program: Command, shell: Shell): void {
  const names = presets.map(({ name }) => name);
  const command = program
    .command('gateway')
    .description(
      'Runs a gateway between agents and their models. It forwards everything as it arrives, and breaks the loops of these agents.',
    )
    .option('--port <number>', 'the port to listen on', parsePort, 8787)
    .option('--host <address>', 'where to listen; other machines need LOOPFUSE_GATEWAY_TOKEN', '127.0.0.1')
    .addOption(
      new Option('--on-loop <how>', 'send the model a message before stopping, stop at once, or only watch')
        .choices(['steer', 'stop', 'shadow'])
        .default('steer'),
    )
    .addOption(new Option('--preset <name>', 'which detectors to use').choices(names).default(names[0]))
    .option('--upstream <name=url>', 'the address of openai, anthropic or gemini; repeatable', gather)
    .option('--store <where>', 'memory:, disk:FOLDER or redis://HOST', 'memory:')
    .option('--journal <folder>', 'record sessions there for scan and replay; holds prompts and results');
  addJudgeFlags(command)
    .addHelpText('after', help)
    .showHelpAfterError(`Run "${shell.command} gateway --help" for usage.`)
    .action(async (flags: Flags) => {
      const { gateway } = await import('./gateway.js');
      const preset = presets.find(({ name }) => name === flags.preset)!;
      await gateway({ ...flags, preset }, shell);
    });
}

function parsePort(text: string): number {
  const port = Number(text);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new InvalidArgumentError('Expected a port from 0 to 65535, for example 8787.');
}

const help = `
Examples:
  loopfuse gateway
  loopfuse gateway --on-loop shadow --journal sessions/
  loopfuse gateway --upstream openai=https://models.example.com
  LOOPFUSE_GATEWAY_TOKEN=… loopfuse gateway --host 0.0.0.0 \\
      --store redis://10.0.0.5
  loopfuse gateway --judge claude-haiku-4-5

The address of an upstream may end with its version: openai=https://HOST/v1.

Agents use it by their base URL: ANTHROPIC_BASE_URL=http://127.0.0.1:8787,
OPENAI_BASE_URL=http://127.0.0.1:8787/v1. With a token they send the header
x-loopfuse-token, or put it before the path: http://HOST:8787/~TOKEN/v1.
Requests of one session are recognised by the header x-loopfuse-session, by the
agent's own id, or by their first message.

GET / is a live page of the sessions, on which they can be continued or stopped;
/metrics is for Prometheus, /healthz says whether the gateway works. If
OTEL_EXPORTER_OTLP_ENDPOINT is set, loops are sent to OpenTelemetry.

A judge is asked when a session looks stuck; no request waits for its answer.
Its key is LOOPFUSE_JUDGE_KEY, or that of its provider.

Upstreams and a judge are reached through HTTPS_PROXY, or HTTP_PROXY if they
have no TLS, except for the hosts in NO_PROXY and this machine itself.

After Ctrl-C or SIGTERM, answers in progress have eight seconds to end; a second
signal ends the gateway at once.

Exit codes: 0 ended by Ctrl-C or SIGTERM, 1 the port is taken, 2 wrong usage.`;
