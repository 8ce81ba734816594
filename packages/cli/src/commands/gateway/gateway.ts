import { accessSync, constants, mkdirSync } from 'node:fs';
import { loadLivePage } from '@loopfuse/dashboard';
import { createGateway, createOperator, type GatewayEvent, isLoopback, listen, type OnLoop } from '@loopfuse/gateway';
import { openStore, type Store, type StoreOptions, withoutPassword } from '@loopfuse/store';
import { gatewayTelemetry, startExport } from '@loopfuse/telemetry';
import { messageOf } from 'loopfuse/words';
import { exitCode } from '../../exit-code.js';
import type { Preset } from '../../presets.js';
import type { Shell } from '../../shell.js';
import { UsageError } from '../../usage-error.js';
import { type JudgeFlags, judgeOf } from './judge.js';
import { parseUpstreams } from './upstreams.js';

export interface GatewayFlags extends JudgeFlags {
  readonly port: number;
  readonly host: string;
  readonly onLoop: OnLoop;
  readonly preset: Preset;
  readonly upstream?: readonly string[];
  readonly store: string;
  readonly journal?: string;
}

/** Service managers kill a process ten seconds after the signal. Two of these remain for saving the sessions. */
const lastAnswersMs = 8_000;

/** Serves a gateway until Ctrl-C or SIGTERM. */
export async function gateway(flags: GatewayFlags, shell: Shell): Promise<void> {
  const { err, env } = shell;
  shell.outlivesOutput = true; // agents depend on it, even if nobody can read its log
  const token = env.LOOPFUSE_GATEWAY_TOKEN || undefined;
  if (!isLoopback(flags.host) && token === undefined)
    throw new UsageError(
      `gateway: --host ${flags.host} can be reached from other machines. Set LOOPFUSE_GATEWAY_TOKEN, or leave --host out.`,
    );
  if (flags.journal !== undefined) requireFolder(flags.journal);
  const judge = await judgeOf(flags, env);
  const say = (line: string) => void err.write(`${new Date().toISOString()} ${err.say(line)}\n`);
  const onFault = (message: string) => say(`fault: ${message}`);
  const store = await storeAt(flags.store, {
    onFault: ({ message }) => onFault(message),
    onRecovery: () => say('the store works again'),
  });
  const operator = createOperator({
    page: livePage(onFault),
    token,
    journal: flags.journal,
    onFault,
    onJournalRecovery: () => say('the journal is written again'),
    ...(store === undefined ? {} : { health: () => store.health }),
  });
  const exported = await startExport({ environment: env, onProblem: onFault }).catch((cause: Error) => {
    onFault(`nothing is sent to OpenTelemetry: ${cause.message}`);
    return undefined;
  });
  const traced = exported === undefined ? undefined : gatewayTelemetry(exported);
  const guard = createGateway({
    onLoop: flags.onLoop,
    detectors: flags.preset.detectorsFor({}),
    judge,
    upstreams: parseUpstreams(flags.upstream ?? []),
    environment: env,
    ...(store === undefined ? {} : { store }),
    emitObserved: true,
    onEvent(event) {
      operator.onEvent(event);
      traced?.(event);
      const line = lineOf(event);
      if (line !== undefined) say(line);
    },
  });
  const ended = untilEnded();
  const { host, port } = flags;
  try {
    const listener = await listen(operator.handle(guard), { host, port, token, open: ['/healthz'] });
    const where = store === undefined ? 'memory' : withoutPassword(flags.store);
    say(`loopfuse gateway at ${listener.url}, on a loop: ${flags.onLoop}, sessions in ${where}`);
    for (const line of usage(listener.url, token !== undefined)) say(line);
    await ended;
    say('waiting at most 8 seconds for answers in progress; a second signal ends the gateway at once');
    await listener.close(lastAnswersMs);
  } catch (cause) {
    const problem = placeProblem(cause, flags);
    if (problem === undefined) throw cause;
    await err.write(`${err.paint(err.say(`error: ${problem}`), 'red')}\n`);
    shell.exitCode = exitCode.failed;
  }
  await guard.close();
  await operator.close();
  await exported?.stop();
  if (shell.exitCode === exitCode.fine) say('ended');
}

/** Reports a journal that cannot be written at the start, not at the first request. */
function requireFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    accessSync(folder, constants.W_OK | constants.X_OK);
  } catch (cause) {
    throw new UsageError(`gateway: --journal: ${JSON.stringify(folder)} cannot be written to: ${messageOf(cause)}`);
  }
}

/** `undefined` if sessions are kept in memory. */
async function storeAt(address: string, options: StoreOptions): Promise<Store | undefined> {
  if (address === 'memory:') return undefined;
  return openStore(address, options).catch((cause: unknown) => {
    throw cause instanceof TypeError ? new UsageError(`gateway: --store: ${cause.message}`) : cause;
  });
}

/** How to point agents at the gateway, and where the live page is. */
function usage(url: string, hasToken: boolean): readonly string[] {
  const base = hasToken ? `${url}/~TOKEN` : url;
  return [
    `agents: ANTHROPIC_BASE_URL=${base} OPENAI_BASE_URL=${base}/v1 GOOGLE_GEMINI_BASE_URL=${base}`,
    `the sessions as they run: ${base}/`,
  ];
}

/** Why the gateway cannot listen at the given address; `undefined` for other errors. */
function placeProblem(cause: unknown, { host, port }: GatewayFlags): string | undefined {
  switch ((cause as NodeJS.ErrnoException).code) {
    case 'EADDRINUSE':
      return `port ${port} of ${host} is in use. Choose another with --port, or stop the program that uses it.`;
    case 'EACCES':
      return `port ${port} may not be used by this user. Choose one above 1023 with --port.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `this machine has no address ${host}. Choose another with --host.`;
    default:
      return undefined;
  }
}

/** The live page is built with the package. Without it, everything else works. */
function livePage(onFault: (message: string) => void): string | undefined {
  try {
    return loadLivePage();
  } catch (cause) {
    onFault(`there is no live page: ${(cause as Error).message}`);
    return undefined;
  }
}

/** The log line of an event, if it has one. Contains nothing from prompts or answers. */
function lineOf(event: GatewayEvent): string | undefined {
  if (event.type === 'fault') return `fault: ${event.message}`;
  if (event.type === 'action') return `${event.action}: session ${event.session.name} of ${event.session.agent}`;
  if (event.type !== 'finding' || event.finding.status !== 'looping' || event.finding.again > 0) return undefined;
  return `loop (${event.finding.kind}): session ${event.session.name} of ${event.session.agent}`;
}

function untilEnded(): Promise<void> {
  return new Promise((resolve) => {
    function end(): void {
      process.off('SIGINT', end).off('SIGTERM', end);
      resolve();
    }
    process.on('SIGINT', end).on('SIGTERM', end);
  });
}
