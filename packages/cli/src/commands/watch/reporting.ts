import { type Evaluations, startEvaluations } from '@loopfuse/telemetry';
import { counted, messageOf } from 'loopfuse/words';
import type { Shell } from '../../shell.js';
import type { Alarm } from './alarms.js';
import {
  type Messenger,
  toBell,
  toCommand,
  toDesktop,
  toEvaluations,
  toJsonLines,
  toTerminal,
  toWebhook,
} from './messengers.js';
import { createOutbox, type Outbox } from './outbox.js';
import type { WatchOptions } from './watch.js';

/** Reports loops in every requested way. A failure of one does not affect the others, nor the watch. */
export interface Reporting {
  report(alarm: Alarm): void;
  /** Reports what could not be delivered. Never rejects. */
  end(): Promise<void>;
}

export async function startReporting(options: WatchOptions, shell: Shell): Promise<Reporting> {
  const { err } = shell;
  const evaluations = await evaluationsOf(options, shell);
  const messengers = messengersOf(options, evaluations, shell);
  const outboxes: { readonly to: string; readonly outbox: Outbox }[] = [];
  const underway = new Set<Promise<void>>();

  function warn(message: string): Promise<void> | void {
    return err.write(`${err.paint(err.say(message), 'yellow')}\n`);
  }

  function notDelivered(cause: unknown): Promise<void> | void {
    return warn(`not delivered: ${messageOf(cause)}`);
  }

  if (options.notify)
    outboxes.push({
      to: 'the desktop',
      outbox: createOutbox({ deliver: toDesktop(), together: true, onProblem: notDelivered }),
    });
  if (options.webhook !== undefined)
    outboxes.push({
      to: 'the webhook',
      outbox: createOutbox({ deliver: toWebhook(options.webhook), onProblem: notDelivered }),
    });

  return {
    report(alarm) {
      for (const messenger of messengers) {
        const sent = (async () => messenger(alarm))()
          .catch(notDelivered)
          .finally(() => underway.delete(sent));
        underway.add(sent);
      }
      for (const { outbox } of outboxes) outbox.send(alarm);
    },
    async end() {
      await Promise.all(underway);
      for (const { to, outbox } of outboxes) {
        const lost = await outbox.stop();
        if (lost > 0) await warn(`${counted(lost, 'loop')} did not reach ${to}.`);
      }
      await evaluations?.stop();
    },
  };
}

/** Sends findings as events, if the environment names an endpoint. Problems with it are only reported. */
async function evaluationsOf({ otlp }: WatchOptions, { env, err }: Shell): Promise<Evaluations | undefined> {
  const onProblem = (message: string) => void err.write(`${err.paint(err.say(message), 'yellow')}\n`);
  try {
    const evaluations = await startEvaluations({ environment: env, onProblem });
    if (evaluations === undefined) return undefined;
    if (otlp !== undefined && isOwn(evaluations.url, otlp)) {
      onProblem(`findings are not sent on: OTEL_EXPORTER_OTLP_ENDPOINT is where this watch listens`);
      return undefined;
    }
    await err.write(`Findings go to ${err.say(new URL(evaluations.url).host)} as gen_ai.evaluation.result.\n`);
    return evaluations;
  } catch (cause) {
    onProblem(`nothing is sent to OpenTelemetry: ${messageOf(cause)}`);
    return undefined;
  }
}

function isOwn(url: string, port: number): boolean {
  const { hostname, port: other } = new URL(url);
  return other === String(port) && /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
}

function messengersOf(
  { json, bell, exec }: WatchOptions,
  evaluations: Evaluations | undefined,
  { out, err }: Shell,
): Messenger[] {
  return [
    json ? toJsonLines(out) : toTerminal(out),
    ...(bell ? [toBell(err)] : []),
    ...(exec === undefined ? [] : [toCommand(exec)]),
    ...(evaluations === undefined ? [] : [toEvaluations(evaluations)]),
  ];
}
