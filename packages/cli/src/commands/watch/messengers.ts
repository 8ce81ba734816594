import { spawn } from 'node:child_process';
import { basename } from 'node:path';
import type { Evaluations } from '@loopfuse/telemetry';
import type { Json } from 'loopfuse';
import { messageOf } from 'loopfuse/words';
import { atTime } from '../../recorded/amounts.js';
import { createMask } from '../../recorded/mask.js';
import type { Terminal } from '../../terminal/terminal.js';
import type { Alarm } from './alarms.js';
import type { OutboxOptions } from './outbox.js';

/** Reports a loop on this machine. Rejects with what went wrong. */
export type Messenger = (alarm: Alarm) => Promise<void> | void;

/** The data for scripts and webhooks. Keys are only ever added, never renamed. */
function alarmData({ session, finding, message }: Alarm) {
  const { id, agent, model, project, file } = session;
  const { detector, kind, seq, onset, confidence, waste, lane } = finding;
  const at = new Date().toISOString();
  return {
    ...{ at, session: id, agent, model, project, file, lane },
    ...{ detector, kind, seq, onset, confidence, message, waste },
  };
}

function alarmJson(alarm: Alarm): string {
  return JSON.stringify(alarmData(alarm));
}

/** A line that names the session, and what happened in words. */
export function toTerminal(out: Terminal): Messenger {
  return async ({ session, finding, message }) => {
    const { id, agent, project } = session;
    const where = project === undefined ? '' : ` in ${out.say(basename(project.replaceAll('\\', '/')))}`;
    const name = out.say(finding.lane === undefined ? id : `${id} (${finding.lane})`);
    const title = out.paint(`${out.glyphs.trip} ${out.say(agent)} loops`, 'bold', 'red');
    await out.write(`${out.paint(atTime(Date.now()), 'dim')} ${title}${where}, session ${name}: ${out.say(message)}\n`);
  };
}

export function toJsonLines(out: Terminal): Messenger {
  return (alarm) => out.write(`${alarmJson(alarm)}\n`);
}

export function toBell(err: Terminal): Messenger {
  return () => err.write('\u0007');
}

/** A notification of the desktop, by the program that this platform has for it; one for several loops. */
export function toDesktop(platform: NodeJS.Platform = process.platform): OutboxOptions['deliver'] {
  return ([first, ...more]) => {
    const title = more.length === 0 ? `${first.session.agent} is looping` : `${more.length + 1} more loops`;
    const agents = [...new Set([first, ...more].map(({ session }) => session.agent))].join(', ');
    const text = more.length === 0 ? first.message : `In sessions of ${agents}. The terminal has them all.`;
    if (platform !== 'darwin') return started('notify-send', ['--app-name=loopfuse', '--', title, text], '');
    const script = 'on run argv\ndisplay notification (item 2 of argv) with title (item 1 of argv)\nend run';
    return started('osascript', ['-e', script, title, text], '');
  };
}

const patience = 10_000;

/** Posts the JSON, with secrets and home folders masked: it leaves the machine. `text` is the line that chat services show. */
export function toWebhook(url: string): OutboxOptions['deliver'] {
  return async ([alarm], ending) => {
    const { text, value } = createMask();
    const { agent } = alarm.session;
    const data = JSON.parse(alarmJson(alarm)) as { [key: string]: Json };
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...value(data), text: text(`${agent} is looping: ${alarm.message}`) }),
      signal: AbortSignal.any([ending, AbortSignal.timeout(patience)]),
    }).catch((cause: unknown) => {
      throw new Error(`the webhook could not be reached: ${reasonOf(cause)}`);
    });
    await response.body?.cancel();
    if (!response.ok) throw new Error(`the webhook answered ${response.status}`);
  };
}

/** `fetch` says only that it failed; the reason is in its cause. */
function reasonOf(cause: unknown): string {
  return messageOf((cause as { cause?: unknown } | undefined)?.cause ?? cause);
}

/** Sends the loop to an OTLP receiver. */
export function toEvaluations(evaluations: Evaluations): Messenger {
  return ({ session, finding, message, span }) => {
    const { kind, detector, confidence, waste, lane } = finding;
    evaluations.send({
      ...{ conversation: session.id, agent: session.agent, model: session.model, lane, span },
      ...{ kind, detector, confidence, waste, explanation: message },
    });
  };
}

/** A command line for the shell, which gets the JSON on its standard input. */
export function toCommand(command: string): Messenger {
  return (alarm) => started(command, [], `${alarmJson(alarm)}\n`, true);
}

function started(command: string, args: readonly string[], input: string, shell = false): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { shell, stdio: ['pipe', 'ignore', 'inherit'] });
    child.on('error', (cause) => reject(new Error(`${command} could not be started: ${cause.message}`)));
    child.on('close', (code, signal) => {
      if (code === 0) resolve();
      else reject(new Error(`${command} ${code === null ? `was ended by ${signal}` : `ended with exit code ${code}`}`));
    });
    child.stdin.on('error', () => {}); // it need not read
    child.stdin.end(input);
  });
}
