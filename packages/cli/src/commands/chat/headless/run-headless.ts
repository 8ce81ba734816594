import type { ChosenModel, ClientEvent, Settings } from '@loopfuse/agent';
import { costAt } from '@loopfuse/prices';
import { counted } from 'loopfuse/words';
import type { Shell } from '../../../shell.js';
import { endingCodes, interruption } from '../../../terminal/interruption.js';
import { UsageError } from '../../../usage-error.js';
import type { ChatFlags, OnLoop } from '../flags.js';
import { goOn } from '../go-on.js';
import { openAgent } from '../open-agent.js';
import { passedOver } from '../passed-over.js';
import { startRecording } from '../telemetry.js';
import { readPiped } from './read-piped.js';
import { createReporter, exitCodes, type Report, type Reporter } from './report.js';
import { why } from './why.js';
import { printForPeople, type Writer, writers } from './writers.js';

/** `loopfuse chat -p "…"`: handles one request without a user, except for a question about a loop. */
export async function runHeadless(flags: ChatFlags, shell: Shell): Promise<void> {
  requireSense(flags, shell);
  const agent = openAgent({ ...flags, ...policyOf(flags) }, shell, { defaults: unattendedFor, orDefaultModel: true });
  const kept = flags.resume === undefined ? undefined : await agent.find(flags.resume);
  const recording = await startRecording(shell.env, (message) => void complain(shell, message));
  const interrupted = interruption('everything');
  try {
    const prompt = await promptOf(flags, shell, interrupted.signal);
    for (const warning of [...agent.warnings, ...passedOver(kept)]) await complain(shell, warning);
    if (agent.model.byDefault) await complain(shell, modelTaken(agent.model));
    const client = agent.open({ log: debugLog(shell), trace: recording.trace() }, kept);
    const { name: model, provider } = agent.model;
    const opening = { session: client.sessionId, model, provider, root: agent.root };
    const writer = writers[flags.outputFormat ?? 'text'](shell);
    const reporter = createReporter();
    const { report } = reporter;
    await writer.open(opening);
    let events: AsyncGenerator<ClientEvent, void> | undefined = client.sendMessageStream(prompt, interrupted.signal);
    while (events !== undefined) {
      await follow(events, reporter, writer, shell);
      events = undefined;
      if (flags.onLoop !== 'ask' || report.status !== 'loop') continue;
      const { askAboutLoop } = await import('./ask-about-loop.js');
      events = await askAboutLoop(client, shell, interrupted.signal);
    }
    const { by } = interrupted;
    if (report.status === 'interrupted' && by !== undefined) report.interruptedBy = by;
    shell.exitCode = report.interruptedBy === undefined ? exitCodes[report.status] : endingCodes[report.interruptedBy];
    const cost = agent.price === undefined ? {} : { cost: costAt(agent.price, report.usage) };
    await writer.close({
      ...opening,
      session: client.sessionId,
      exitCode: shell.exitCode,
      turns: client.session().turns,
      ...cost,
      report,
    });
    await reportEnd(report, goOn(flags, client.sessionId, shell), shell);
  } finally {
    interrupted.end();
    await recording.stop();
  }
}

function modelTaken({ name, provider }: ChosenModel): string {
  return `no model is set: taking ${name}, the default of ${provider}. --model names another.`;
}

function requireSense({ onLoop, policy }: ChatFlags, { streams }: Shell): void {
  if (onLoop !== undefined && policy !== undefined)
    throw new UsageError('--on-loop and --policy both say what to do about a loop: give one of them.');
  if (onLoop === 'ask' && !(streams.stdin.isTTY && streams.stderr.isTTY))
    throw new UsageError('--on-loop ask needs a terminal to ask at. Without one, choose steer or stop.');
}

const policiesOf: { readonly [Choice in OnLoop]: NonNullable<Settings['policy']> } = {
  steer: 'unattended',
  stop: 'stop',
  ask: 'ask',
};

function policyOf({ onLoop }: ChatFlags): Pick<ChatFlags, 'policy'> {
  return onLoop === undefined ? {} : { policy: policiesOf[onLoop] };
}

/** The default policy without a user. The ancestors' presets have a policy of their own. */
function unattendedFor({ preset = 'balanced' }: Settings): Settings {
  return preset === 'balanced' ? { policy: 'unattended' } : {};
}

async function follow(
  events: AsyncGenerator<ClientEvent, void>,
  { note }: Reporter,
  writer: Writer,
  shell: Shell,
): Promise<void> {
  for await (const event of events) {
    note(event);
    await writer.event(event);
    await printForPeople(event, shell);
  }
}

/** The request: the prompt, with the piped input as its context; or only the piped input. */
async function promptOf({ prompt }: ChatFlags, shell: Shell, signal: AbortSignal): Promise<string> {
  const piped = await readPiped(shell.streams.stdin, signal);
  if (piped.type === 'too-much')
    throw new UsageError(`More than ${counted(piped.most, 'byte')} were piped in. Put them into a file and name it.`);
  if (piped.type === 'silent')
    await complain(
      shell,
      'nothing came from standard input for three seconds; continuing without it (use </dev/null to avoid the wait)',
    );
  const asked = prompt?.trim() ?? '';
  if (piped.type === 'text')
    return asked === '' ? piped.text : `${asked}\n\n<piped-input>\n${piped.text}\n</piped-input>`;
  if (asked === '') throw new UsageError('There is no request. Give it with -p "…", or pipe it in.');
  return asked;
}

async function reportEnd(report: Report, command: string, shell: Shell): Promise<void> {
  const reason = why(report);
  if (reason === undefined) return;
  await complain(shell, reason);
  if (report.status !== 'error' && report.status !== 'empty') await complain(shell, `To continue it: ${command}`);
}

function debugLog(shell: Shell): (level: string, message: string) => void {
  return (level, message) => {
    if (shell.env.LOOPFUSE_DEBUG) void complain(shell, `${level}: ${message}`);
  };
}

function complain({ err }: Shell, message: string): Promise<void> {
  return err.write(`loopfuse: ${err.say(message)}\n`);
}
