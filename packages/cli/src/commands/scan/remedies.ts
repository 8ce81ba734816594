import type { LoopKind } from 'loopfuse';

/** What the user can do to prevent a kind of loop. (`loopKinds` has the message to the model.) */
export const remedies: { readonly [Kind in LoopKind]: string } = {
  'repeated-calls':
    'The agent asked again for what it already had. Check that the result reaches the model whole and says what it found; a rule such as "do not read a file twice" in the instructions helps.',
  cycle:
    'The agent went round the same few steps. Split the task, or say in the instructions what to do when a step brings nothing.',
  'repeated-failure':
    'The same call failed again and again. Let the tool’s error say what would have worked, and give the agent another way to do it.',
  'same-outcome':
    'Different calls brought the same answer. What it looks for may not be there: say where things are, or that "not found" is an answer.',
  oscillation:
    'A change was made and taken back by turns. Two instructions or two checks contradict each other; decide which one holds.',
  chanting:
    'The model repeated itself word for word. Lower the length limit of an answer, or raise temperature or repetition penalty; small and quantised models do this most.',
  circling:
    'The model thought the same thoughts again. Give it less reasoning effort for this task, or the fact that it is missing.',
  monologue:
    'The model said the same thing instead of acting. Check that its tools are offered, and that it may use them.',
  stall: 'Step after step brought nothing new. Make the task smaller, or give the agent a way to ask.',
  judged: 'A judge found the agent stuck. Read what it was doing, and split the task there.',
  budget: 'The budget was used up. Raise it, or make the task smaller.',
};

/** The agents of `loopfuse install`, by their names in sessions. */
const withHooks: { readonly [agent: string]: string } = {
  'claude-code': 'claude-code',
  codex: 'codex',
  'gemini-cli': 'gemini-cli',
  'qwen-code': 'qwen-code',
  opencode: 'opencode',
  'copilot-cli': 'copilot',
};

/** How agents are started on a command line. */
const commands: { readonly [agent: string]: string } = {
  'claude-code': 'claude',
  codex: 'codex',
  'gemini-cli': 'gemini',
  'qwen-code': 'qwen',
  opencode: 'opencode',
  'copilot-cli': 'copilot',
  cline: 'cline',
  pi: 'pi',
  kimi: 'kimi',
  droid: 'droid',
  aider: 'aider',
};

/**
 * The command that would have broken a loop of this agent: with its hooks, otherwise with a gateway around it, otherwise a
 * watch that notifies the user. `known` are the commands of this program.
 */
export function prevention(agent: string, known: ReadonlySet<string>, command = 'loopfuse'): string {
  if (withHooks[agent] !== undefined && known.has('install')) return `${command} install ${withHooks[agent]}`;
  if (commands[agent] !== undefined && known.has('run')) return `${command} run -- ${commands[agent]}`;
  return `${command} watch --notify`;
}
