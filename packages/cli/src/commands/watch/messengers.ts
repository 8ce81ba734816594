import { spawn } from 'node:child_process';
import { basename } from 'node:path';
import { atTime } from '../../recorded/amounts.js';
import type { Terminal } from '../../terminal/terminal.js';
import type { Alarm } from './alarms.js';

/** Tells somebody of a loop. Rejects with what went wrong. */
export type Messenger = (alarm: Alarm) => Promise<void> | void;

/** What scripts and webhooks get. Keys are only ever added, never renamed. */
export function alarmJson({ session, finding, message }: Alarm): string {
  const { id, agent, model, project, file } = session;
  const { detector, kind, seq, onset, confidence, waste, lane } = finding;
  const at = new Date().toISOString();
  return JSON.stringify({
    ...{ at, session: id, agent, model, project, file, lane },
    ...{ detector, kind, seq, onset, confidence, message, waste },
  });
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

/** A notification of the desktop, by the program that this platform has for it. */
export function toDesktop(platform: NodeJS.Platform = process.platform): Messenger {
  return ({ session, message }) => {
    const title = `${session.agent} is looping`;
    if (platform !== 'darwin') return started('notify-send', ['--app-name=loopfuse', '--', title, message], '');
    const script = 'on run argv\ndisplay notification (item 2 of argv) with title (item 1 of argv)\nend run';
    return started('osascript', ['-e', script, title, message], '');
  };
}

const patience = 10_000;

export function toWebhook(url: string): Messenger {
  return async (alarm) => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: alarmJson(alarm),
      signal: AbortSignal.timeout(patience),
    });
    await response.body?.cancel();
    if (!response.ok) throw new Error(`the webhook answered ${response.status}`);
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
    child.on('close', (code) => (code === 0 ? resolve() : reject(new Error(`${command} ended with ${code}`))));
    child.stdin.on('error', () => {}); // it need not read
    child.stdin.end(input);
  });
}
