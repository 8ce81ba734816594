import { approvalModes } from '@loopfuse/agent';
import type { Row } from '@loopfuse/conversation';
import { type Action, type ChatState, happens } from './state.js';

export interface SlashCommand {
  readonly name: string;
  /** Its arguments. */
  readonly takes: string;
  readonly about: string;
  /** It runs at once, even while the agent works, and is not added to the conversation. The others are queued. */
  readonly atOnce?: true;
  run(state: ChatState, words: string): ChatState;
}

/** Everything that can be typed after a slash. */
export const slashCommands: readonly SlashCommand[] = [
  { name: 'help', takes: '', about: 'this list', run: (state) => happens(state, { type: 'list', rows: help() }) },
  {
    name: 'loop',
    takes: '[off | on | exempt TOOL]',
    about: 'what watches for loops, with which thresholds; switch it off and on; never flag a tool',
    run: loop,
  },
  {
    name: 'model',
    takes: '[PROVIDER] [NAME]',
    about: 'the model in use, or another one from now on',
    run: (state, words) => doing(state, words === '' ? { type: 'describe-model' } : { type: 'choose-model', words }),
  },
  {
    name: 'approval',
    takes: `[${approvalModes.join(' | ')}]`,
    about: 'which changes need your approval: every one, commands only, none',
    run: approval,
  },
  {
    name: 'output',
    takes: '[NUMBER]',
    about: 'all that a call has written, by its number; without one, that of the latest call',
    atOnce: true,
    run: output,
  },
  {
    name: 'compress',
    takes: '',
    about: 'replace the older part of the conversation by notes',
    run: (state) => doing(happens(state, { type: 'busy' }), { type: 'compress' }),
  },
  {
    name: 'restore',
    takes: '',
    about: 'put back what the loop guard took out of the context of the model last',
    run: (state) => doing(state, { type: 'restore' }),
  },
  {
    name: 'resume',
    takes: '',
    about: 'go on with an earlier session in this folder',
    run: (state) => doing(happens(state, { type: 'busy' }), { type: 'list-sessions' }),
  },
  {
    name: 'quit',
    takes: '',
    about: 'leave; the session is kept',
    atOnce: true,
    run: (state) => doing(state, { type: 'quit' }),
  },
];

/** Whether a text is a command. A path or a comment, which may also begin with a slash, is a message. */
export function isCommand(text: string): boolean {
  return /^\/[\w-]*(?:\s|$)/.test(text);
}

/** Whether a line is a command that runs at once. */
export function runsAtOnce(line: string): boolean {
  return isCommand(line) && commandIn(line).command?.atOnce === true;
}

function commandIn(line: string) {
  const [, name = '', words = ''] = /^\/([\w-]*)\s*([\s\S]*)$/.exec(line.trim()) ?? [];
  return { name, words, command: slashCommands.find((one) => one.name === name.toLowerCase()) };
}

export function runSlashCommand(state: ChatState, line: string): ChatState {
  const { name, words, command } = commandIn(line);
  if (command !== undefined) return command.run(state, words.trim());
  const near = slashCommands.filter((one) => one.name.startsWith(name.slice(0, 2)) && name !== '');
  const hint = near.length === 1 ? ` Did you mean /${near[0]!.name}?` : ' /help lists what there is.';
  return happens(state, { type: 'note', tone: 'warning', text: `There is no command /${name}.${hint}` });
}

function doing(state: ChatState, action: Action): ChatState {
  return { ...state, actions: [...state.actions, action] };
}

function loop(state: ChatState, words: string): ChatState {
  const [what = '', tool = ''] = words.split(/\s+/);
  if (what === '') return doing(state, { type: 'describe-loop' });
  if (what === 'off' && tool === '')
    return doing(happens(state, { type: 'known', known: { guard: 'off' } }), { type: 'disable' });
  if (what === 'on' && tool === '') return doing(happens(state, { type: 'busy' }), { type: 'enable' });
  if (what === 'exempt' && tool !== '') return doing(state, { type: 'exempt', tool });
  return happens(state, {
    type: 'note',
    tone: 'warning',
    text: 'Expected /loop, /loop off, /loop on or /loop exempt TOOL.',
  });
}

function output(state: ChatState, words: string): ChatState {
  if (words === '') return doing(state, { type: 'show-output' });
  const number = /^\d{1,9}$/.test(words) ? Number(words) : undefined;
  if (number !== undefined) return doing(state, { type: 'show-output', number });
  const text = `Expected /output or /output NUMBER, got ${JSON.stringify(words)}.`;
  return happens(state, { type: 'note', tone: 'warning', text });
}

function approval(state: ChatState, words: string): ChatState {
  const mode = approvalModes.find((one) => one === words);
  if (mode !== undefined)
    return doing({ ...state, facts: { ...state.facts, approval: mode } }, { type: 'set-approval', mode });
  const text = `Approval is ${state.facts.approval}. It can be ${approvalModes.join(', ')}.`;
  return happens(state, { type: 'note', tone: words === '' ? 'plain' : 'warning', text });
}

function help(): readonly Row[] {
  const rows = slashCommands.map(({ name, takes, about }) => [`/${name} ${takes}`.trimEnd(), about] as const);
  return [...rows, ...keys];
}

const keys: readonly Row[] = [
  ['/', 'a menu of these commands: Up, Down, Enter; Tab completes, Esc closes it'],
  ['Enter', 'send; Alt-Enter, Ctrl-J or \\ and Enter begin a new line'],
  ['Up, Down', 'what you sent before'],
  ['Esc', 'cancel what is going on'],
  ['Ctrl-O', 'thinking in full, or not; all of a long change that needs approval'],
  ['Ctrl-C', 'twice: leave'],
];
