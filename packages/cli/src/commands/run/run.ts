import { accessSync, constants, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, resolve } from 'node:path';
import { createGateway, type GatewayEvent, listen, type OnLoop } from '@loopfuse/gateway';
import { messageOf } from 'loopfuse/words';
import { exitCode } from '../../exit-code.js';
import type { Preset } from '../../presets.js';
import type { Shell } from '../../shell.js';
import { UsageError } from '../../usage-error.js';
import { writeWhole } from '../../write-whole.js';
import { type JudgeFlags, judgeOf } from '../gateway/judge.js';
import { type Launch, launcherFor } from './agents/index.js';
import { type Child, runChild } from './child.js';
import { createMounts } from './mounts.js';
import { closingLine, createRunRecord } from './report.js';
import { createTraceFile, type TraceFile } from './trace-file.js';

export interface RunOptions extends JudgeFlags {
  readonly onLoop: OnLoop;
  readonly preset: Preset;
  readonly json?: string | undefined;
  readonly upstream?: string | undefined;
  readonly trace?: string | undefined;
  readonly quiet?: boolean | undefined;
}

/** How long an agent may take to end by itself after a stop, and then again after SIGTERM. */
const graceMs = 10_000;

/** Runs an agent behind a gateway of its own. */
export async function run([program, ...args]: readonly string[], options: RunOptions, shell: Shell): Promise<void> {
  const { env, err } = shell;
  shell.outlivesOutput = true; // the agent depends on the gateway, and its exit code must be returned
  if (program === undefined) throw new UsageError('run: a program is expected, for example: loopfuse run -- claude');
  if (options.upstream !== undefined && !URL.canParse(options.upstream))
    throw new UsageError(
      `run: --upstream must be an address such as https://api.example.com/v1, got ${options.upstream}`,
    );
  const judge = await judgeOf(options, env);
  const interactive = shell.streams.stdin.isTTY === true && shell.streams.stdout.isTTY === true;
  const record = createRunRecord();
  if (options.json !== undefined) requirePlace('--json', options.json);
  const trace = options.trace === undefined ? undefined : openTrace(options.trace);
  let child: Child | undefined;
  let timer: NodeJS.Timeout | undefined;
  const mounts = createMounts();

  function onEvent(event: GatewayEvent): void {
    record.take(event);
    trace?.take(event);
    if (interactive) return; // the user sees the sentence in the answer and decides
    if (event.type === 'request' && event.status === 200) clearTimeout(timer);
    if (event.type !== 'action' || event.action !== 'stop') return;
    clearTimeout(timer);
    timer = setTimeout(() => child?.stop(graceMs), graceMs);
    timer.unref();
  }

  const gateway = createGateway({
    onLoop: options.onLoop,
    detectors: options.preset.detectorsFor({}),
    judge,
    session: 'run',
    mounts: mounts.upstreams,
    environment: env,
    onEvent,
    emitObserved: trace !== undefined,
  });
  /** Reports a problem that does not change the exit code, which is the agent's. */
  const complain = (problem: string) => err.write(`${err.paint(err.say(`error: run: ${problem}`), 'red')}\n`);
  const listener = await listen(gateway.handle);
  const mount = (base: string) => mounts.mount(listener.url, base);
  let launch: Launch | undefined;
  try {
    const request = { args, env, home: env.HOME || homedir(), cwd: process.cwd(), upstream: options.upstream, mount };
    launch = launcherFor(program)(request);
    if (launch.remark !== undefined) await err.write(`loopfuse: ${err.say(launch.remark)}\n`);
    // The judge's key is ours, not the agent's.
    const { LOOPFUSE_JUDGE_KEY: _, ...agentEnv } = { ...env, ...besideProxy(env), ...launch.env };
    child = runChild(program, launch.args, { env: agentEnv, cwd: process.cwd(), interactive });
    const code = await child.ended.catch((cause: NodeJS.ErrnoException) => {
      throw new UsageError(`run: ${program} could not be started (${cause.code ?? cause.message})`);
    });
    clearTimeout(timer);
    const sessions = (await gateway.sessions()).map(({ about }) => about);
    const [latest] = sessions.slice().sort((a, b) => b.lastAt - a.lastAt);
    const stopped = latest !== undefined && latest.stopped !== '';
    shell.exitCode = stopped ? exitCode.loopStopped : code;
    const report = record.report({ program, ended: stopped ? 'loop' : 'agent', exitCode: shell.exitCode, sessions });
    if (options.json !== undefined) {
      const text = `${JSON.stringify(report, null, 2)}\n`;
      await writeWhole(options.json, (file) => writeFileSync(file, text, { mode: 0o600 }), 0o600).catch(
        (cause: unknown) => complain(`the report was not written: ${messageOf(cause)}`),
      );
    }
    if (trace?.problem !== undefined) await complain(`the trace is not complete: ${trace.problem}`);
    if (options.quiet !== true || stopped) await err.write(`${err.say(closingLine(report))}\n`);
  } finally {
    try {
      launch?.end?.();
    } catch (cause) {
      await complain(messageOf(cause));
    }
    trace?.close();
    await listener.close();
    await gateway.close();
  }
}

/** Reports a file that cannot be written at the start, not when the agent has ended. */
function requirePlace(flag: string, file: string): void {
  try {
    const there = statSync(file, { throwIfNoEntry: false });
    if (there?.isDirectory()) throw new Error('it is a folder. Name a file in it');
    if (there === undefined || there.isFile()) accessSync(dirname(resolve(file)), constants.W_OK | constants.X_OK);
  } catch (cause) {
    throw new UsageError(`run: ${flag}: ${JSON.stringify(file)} cannot be written: ${messageOf(cause)}`);
  }
}

function openTrace(file: string): TraceFile {
  requirePlace('--trace', file);
  try {
    return createTraceFile(file);
  } catch (cause) {
    throw new UsageError(`run: --trace: ${JSON.stringify(file)} cannot be written: ${messageOf(cause)}`);
  }
}

/** Makes an agent that uses a proxy reach the gateway directly, because it is on this machine. */
function besideProxy(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const names = ['http_proxy', 'https_proxy', 'all_proxy'];
  if (!names.some((name) => env[name] || env[name.toUpperCase()])) return {};
  const hosts = [env.no_proxy || env.NO_PROXY, '127.0.0.1', 'localhost'].filter(Boolean).join(',');
  return { no_proxy: hosts, NO_PROXY: hosts };
}
