import { setTimeout } from 'node:timers/promises';
import { counted, messageOf } from 'loopfuse/words';
import type { Preset } from '../../presets.js';
import { foundLines, logsToRead } from '../../recorded/logs-to-read.js';
import type { Shell } from '../../shell.js';
import { interruption } from '../../terminal/interruption.js';
import { UsageError } from '../../usage-error.js';
import { createFaultList } from '../scan/fault-list.js';
import type { Alarm } from './alarms.js';
import { followFiles } from './followed-files.js';
import { startReporting } from './reporting.js';

export interface WatchOptions {
  readonly preset: Preset;
  readonly json: boolean;
  readonly bell: boolean;
  readonly notify: boolean;
  readonly webhook?: string | undefined;
  readonly exec?: string | undefined;
  readonly agents?: readonly string[] | undefined;
  /** The port on which traces are taken from OpenTelemetry exporters, instead of files. */
  readonly otlp?: number | undefined;
}

/** The pause between two looks, in milliseconds; at least ten times as long as finding the files takes. */
const pause = 1000;

/** Follows logs until Ctrl-C, and warns of every loop as soon as it is seen. */
export async function watch(paths: readonly string[], options: WatchOptions, shell: Shell): Promise<void> {
  const { out, err } = shell;
  const reporting = await startReporting(options, shell);
  const looping = new Set<string>();
  let loops = 0;

  function onAlarm(alarm: Alarm): void {
    if (options.agents !== undefined && !options.agents.includes(alarm.session.agent)) return;
    loops++;
    looping.add(`${alarm.session.agent} ${alarm.session.id}`);
    reporting.report(alarm);
  }

  if (options.otlp !== undefined) {
    await watchOtlp(options.otlp, options.preset, onAlarm, shell);
    await reporting.end();
    const summary = `Watched traces: ${counted(loops, 'loop')} in ${counted(looping.size, 'session')}.\n`;
    await (options.json ? err : out).write(summary);
    return;
  }
  const faults = createFaultList(err);
  const files = followFiles({ preset: options.preset, onAlarm, onUnreadable: faults.add });
  const find = () => logsToRead(paths, { env: shell.env, agents: options.agents });
  const interrupted = interruption();
  try {
    let found = await find();
    if (found.agents.length > 0) await err.write(foundLines(found.agents, err));
    else if (paths.length === 0)
      await err.write(
        `No agent logs found in the default locations yet. To watch other files or folders: ${shell.command} watch PATH…\n`,
      );
    for (const fault of found.faults) faults.add(fault);
    await files.look(found.files, interrupted.signal);
    await faults.end();
    if (!interrupted.signal.aborted)
      await err.write(`Watching ${counted(files.size, 'file')}, and what is added. Ctrl-C ends it.\n`);
    let took = 0;
    while (!interrupted.signal.aborted) {
      await setTimeout(Math.max(pause, took * 10), undefined, { signal: interrupted.signal });
      const begun = Date.now();
      found = await find().catch(() => found); // a folder may be gone for a while
      took = Date.now() - begun;
      await files.look(found.files, interrupted.signal);
    }
  } catch (cause) {
    if (!interrupted.signal.aborted) throw cause;
  } finally {
    interrupted.end();
  }
  await reporting.end();
  const summary = `Watched ${counted(files.size, 'file')}: ${counted(loops, 'loop')} in ${counted(looping.size, 'session')}.\n`;
  await (options.json ? err : out).write(summary);
}

/** Takes traces until Ctrl-C. */
async function watchOtlp(port: number, preset: Preset, onAlarm: (alarm: Alarm) => void, { err }: Shell): Promise<void> {
  const [{ receiveOtlp }, { watchTraces }] = await Promise.all([
    import('./otlp/receiver.js'),
    import('./otlp/trace-watch.js'),
  ]);
  const traces = watchTraces(preset, onAlarm);
  const interrupted = interruption();
  const receiver = await receiveOtlp({
    port,
    onTraces: traces.add,
    onProblem: (message) => void err.write(`${err.paint(err.say(`a request was refused: ${message}`), 'yellow')}\n`),
  }).catch((cause: unknown) => {
    interrupted.end();
    throw new UsageError(`--otlp cannot listen on port ${port}: ${messageOf(cause)}. Give another port: --otlp 4319`);
  });
  await err.write(
    `Watching traces. Send them with OTEL_EXPORTER_OTLP_ENDPOINT=${receiver.endpoint}; Ctrl-C ends it.\n`,
  );
  if (!interrupted.signal.aborted)
    await new Promise((resolve) => interrupted.signal.addEventListener('abort', resolve, { once: true }));
  interrupted.end();
  await receiver.close();
}
