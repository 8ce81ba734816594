import type { OfferedTool, TurnRequest } from '../turn.js';
import type { Capability } from './action.js';

/** The names under which the known agents offer a capability, the best first. */
const names: { readonly [Key in Capability]: readonly string[] } = {
  read: ['Read', 'read_file', 'read', 'view', 'read_files', 'readFile', 'view_file', 'read_many_files', 'open_file'],
  shell: [
    'Bash',
    'exec_command',
    'run_shell_command',
    'bash',
    'shell',
    'shell_command',
    'run_commands',
    'execute_command',
    'run_terminal_cmd',
    'exec',
  ],
  write: ['Write', 'write_file', 'write', 'create', 'write_to_file', 'create_file'],
  search: ['Grep', 'search_file_content', 'grep_search', 'grep', 'rg', 'search_files', 'search_codebase', 'search'],
};

/** Patterns for the names and parameters of tools of unknown agents. */
const looks: { readonly [Key in Capability]: readonly [name: RegExp, parameter: RegExp] } = {
  read: [/read|view|open|cat/i, /path|file/i],
  shell: [/shell|bash|exec|run|terminal|command/i, /^(command|cmd|script)s?$/i],
  write: [/write|create|save/i, /content|text/i],
  search: [/grep|search|find/i, /pattern|query|regex/i],
};

/** Tools that search outside the workspace, or for other tools. */
const elsewhere = /web|tool|memory|session|google/i;

/** The tool of this request with this capability; `undefined` if there is none. */
export function toolFor(turn: Pick<TurnRequest, 'tools'>, capability: Capability): OfferedTool | undefined {
  return knownToolFor(turn, capability) ?? likelyToolFor(turn, capability);
}

/** The same by name only, for the known agents. */
export function knownToolFor({ tools }: Pick<TurnRequest, 'tools'>, capability: Capability): OfferedTool | undefined {
  for (const name of names[capability]) {
    const known = tools.find((tool) => tool.name === name);
    if (known) return known;
  }
  return undefined;
}

function likelyToolFor({ tools }: Pick<TurnRequest, 'tools'>, capability: Capability): OfferedTool | undefined {
  const [name, parameter] = looks[capability];
  return tools.find(
    (tool) =>
      name.test(tool.name) &&
      !elsewhere.test(tool.name) &&
      Object.keys(tool.parameters.properties ?? {}).some((key) => parameter.test(key)),
  );
}
