import { join } from 'node:path';
import { type Decision, type Json, type PolicyName, policyNames } from 'loopfuse';
import { hooksFolder } from './home.js';
import { log } from './log.js';
import { protocols } from './protocol/index.js';
import type { Environment, HookEvent, Moment, Protocol } from './protocol/protocol.js';
import { type StepResult, step } from './session/guarded-session.js';
import { updateState } from './session/state-file.js';

export interface HookRequest {
  /** The words after `loopfuse hook`: an agent, the event if the payload does not name it, and flags. */
  readonly args: readonly string[];
  /** What came on standard input. */
  readonly payload: string;
  readonly env: Environment;
}

export interface HookReply {
  /** What to print; '' for nothing. */
  readonly text: string;
  /** What was reported; undefined if it was not for us, or could not be read. */
  readonly moment?: Moment['type'];
}

/**
 * Answers one call of the hook. Never throws and never takes long: whatever goes wrong, the agent goes on as if there
 * was no hook, and the log has a line about it.
 */
export function runHook({ args, payload, env }: HookRequest): HookReply {
  const folder = hooksFolder(env);
  try {
    const { agent, event, policy } = argumentsOf(args);
    const protocol = protocols.find(({ name }) => name === agent);
    if (protocol === undefined)
      throw new Error(`expected an agent (${protocols.map(({ name }) => name).join(', ')}), found ${quoted(agent)}`);
    const parsed = JSON.parse(payload) as Json;
    const happened = protocol.read(parsed, event, env);
    if (happened === undefined) return { text: '' };
    const { measure } = guarded(protocol, happened, policy, folder);
    const reply = measure && protocol.reply(measure, parsed);
    return { text: reply === undefined ? '' : JSON.stringify(reply), moment: happened.moment.type };
  } catch (cause) {
    log(folder, `${args.join(' ')}: ${messageOf(cause)}`);
    return { text: '' };
  }
}

/** One step of a session, from its saved state, while other hooks of the session wait. */
export function guarded(
  protocol: Pick<Protocol, 'name' | 'asks'> & Partial<Pick<Protocol, 'format'>>,
  event: HookEvent,
  policy: PolicyName,
  folder: string,
): StepResult {
  const onFault = (message: string): void => log(folder, `${protocol.name} ${event.session.slice(0, 40)}: ${message}`);
  const key = `${protocol.name}-${event.session}`;
  const result = updateState({ folder: join(folder, 'sessions'), key, onFault }, (saved) => {
    const stepped = step(saved, event, protocol, { policy, now: Date.now(), onFault });
    return { result: stepped, save: stepped.state };
  });
  const { decision, measure } = result;
  if (measure !== undefined) onFault(`${measure.type} at a ${event.moment.type}: ${kindsOf(decision)}`);
  else if (decision.type === 'allow' && decision.would)
    onFault(`would ${decision.would.type}: ${kindsOf(decision.would)}`);
  return result;
}

/** The kinds of the loops that were seen; never the content of the session. */
function kindsOf(decision: Decision): string {
  return decision.type === 'allow' ? 'as owed' : decision.findings.map(({ kind }) => kind).join(', ');
}

function argumentsOf(args: readonly string[]) {
  const words: string[] = [];
  let policy: PolicyName = 'unattended';
  for (let at = 0; at < args.length; at++) {
    const word = args[at]!;
    if (word !== '--policy') words.push(word);
    else if (policyNames.includes(args[at + 1] as PolicyName)) policy = args[++at] as PolicyName;
    else throw new Error(`expected a policy (${policyNames.join(', ')}) after --policy, found ${quoted(args[at + 1])}`);
  }
  return { agent: words[0], event: words[1], policy };
}

function quoted(value: string | undefined): string {
  return value === undefined ? 'nothing' : JSON.stringify(value.slice(0, 60));
}

/** JSON errors quote the text that could not be read, which may be anything; the log must not quote it. */
function messageOf(cause: unknown): string {
  if (cause instanceof SyntaxError) return 'expected JSON on standard input, found something else';
  return cause instanceof Error ? cause.message : String(cause);
}
