import { describe, expect, it } from 'vitest';
import type { JsonSchema, OfferedTool, TurnRequest } from '../turn.js';
import type { Action } from './action.js';
import { callFor } from './call-for.js';
import { toolFor } from './tool-for.js';

const text: JsonSchema = { type: 'string' };

/** `tool('read', 'path!', 'limit')`: a tool with a required and an optional parameter, both texts. */
function tool(name: string, ...parameters: (string | [string, JsonSchema])[]): OfferedTool {
  const entries = parameters.map((one) => (typeof one === 'string' ? ([one, text] as const) : one));
  return {
    name,
    description: '',
    takes: 'object',
    parameters: {
      type: 'object',
      properties: Object.fromEntries(entries.map(([key, schema]) => [key.replace('!', ''), schema])),
      required: entries.flatMap(([key]) => (key.endsWith('!') ? [key.slice(0, -1)] : [])),
    },
  };
}

function turn(tools: readonly OfferedTool[], system = ''): TurnRequest {
  return { tools, system, messages: [] } as unknown as TurnRequest;
}

const paths: JsonSchema = {
  type: 'array',
  items: { type: 'object', properties: { path: text, start_line: { type: 'integer' } }, required: ['path'] },
};
const words: JsonSchema = { type: 'array', items: text };
const wordOrWords: JsonSchema = { anyOf: [text, words] };

/** The tools of an agent, and the calls by which they read a file, search, write a file and run a command. */
const agents: Readonly<Record<string, { tools: readonly OfferedTool[]; calls: readonly string[] }>> = {
  'Claude Code': {
    tools: [
      tool('ToolSearch', 'query!'),
      tool('Read', 'file_path!', 'limit'),
      tool('Bash', 'command!', 'description'),
      tool('Write', 'file_path!', 'content!'),
    ],
    calls: [
      'Read {"file_path":"a b.txt"}',
      'Bash {"command":"grep -rn -e word ."}',
      'Write {"file_path":"n.txt","content":"x"}',
      'Bash {"command":"make"}',
    ],
  },
  Codex: {
    tools: [tool('update_plan', 'plan!'), tool('exec_command', 'cmd!', 'workdir')],
    calls: [
      `exec_command {"cmd":"cat 'a b.txt'"}`,
      'exec_command {"cmd":"grep -rn -e word ."}',
      `exec_command {"cmd":"printf '%s' x > n.txt"}`,
      'exec_command {"cmd":"make"}',
    ],
  },
  'Codex, older': {
    tools: [tool('shell', ['command!', words], ['timeout_ms', { type: 'number' }])],
    calls: [
      `shell {"command":["bash","-lc","cat 'a b.txt'"]}`,
      'shell {"command":["bash","-lc","grep -rn -e word ."]}',
      `shell {"command":["bash","-lc","printf '%s' x > n.txt"]}`,
      'shell {"command":["bash","-lc","make"]}',
    ],
  },
  'Gemini CLI': {
    tools: [
      tool('read_file', 'file_path!', ['offset', { type: 'number' }]),
      tool('grep_search', 'pattern!', 'dir_path'),
      tool('write_file', 'file_path!', 'content!'),
      tool('run_shell_command', 'command!'),
    ],
    calls: [
      'read_file {"file_path":"a b.txt"}',
      'grep_search {"pattern":"word"}',
      'write_file {"file_path":"n.txt","content":"x"}',
      'run_shell_command {"command":"make"}',
    ],
  },
  opencode: {
    tools: [
      tool('read', 'filePath!'),
      tool('grep', 'pattern!', 'path'),
      tool('write', 'content!', 'filePath!'),
      tool('bash', 'command!', 'timeout'),
    ],
    calls: [
      'read {"filePath":"a b.txt"}',
      'grep {"pattern":"word"}',
      'write {"content":"x","filePath":"n.txt"}',
      'bash {"command":"make"}',
    ],
  },
  'Copilot CLI': {
    tools: [
      tool('view', 'path!', 'view_range'),
      tool('grep', 'pattern!', 'path'),
      tool('create', 'path!', 'file_text!'),
      tool('bash', 'command!', 'description!'),
    ],
    calls: [
      'view {"path":"a b.txt"}',
      'grep {"pattern":"word"}',
      'create {"path":"n.txt","file_text":"x"}',
      'bash {"command":"make","description":"scripted"}',
    ],
  },
  Cline: {
    tools: [
      tool('read_files', ['files!', paths]),
      tool('search_codebase', ['queries!', wordOrWords]),
      tool('run_commands', ['commands!', words]),
    ],
    calls: [
      'read_files {"files":[{"path":"a b.txt"}]}',
      'search_codebase {"queries":"word"}',
      `run_commands {"commands":["printf '%s' x > n.txt"]}`,
      'run_commands {"commands":["make"]}',
    ],
  },
  pi: {
    tools: [tool('read', 'path!'), tool('bash', 'command!'), tool('write', 'path!', 'content!')],
    calls: [
      'read {"path":"a b.txt"}',
      'bash {"command":"grep -rn -e word ."}',
      'write {"path":"n.txt","content":"x"}',
      'bash {"command":"make"}',
    ],
  },
  'our own agent': {
    tools: [
      tool('read_file', 'path!'),
      tool('search_file_content', 'pattern!'),
      tool('write_file', 'path!', 'content!'),
      tool('run_shell_command', 'command!'),
    ],
    calls: [
      'read_file {"path":"a b.txt"}',
      'search_file_content {"pattern":"word"}',
      'write_file {"path":"n.txt","content":"x"}',
      'run_shell_command {"command":"make"}',
    ],
  },
};

const actions: readonly Action[] = [
  { read: 'a b.txt' },
  { search: 'word' },
  { write: 'n.txt', content: 'x' },
  { shell: 'make' },
];
const pi = [tool('read', 'path!')];

describe('callFor', () => {
  it.each(Object.entries(agents))('does the same things with the tools of %s', (_, { tools, calls }) => {
    const made = actions.map((action) => callFor(turn(tools), action).call);
    expect(made.map(({ tool, input }) => `${tool} ${JSON.stringify(input)}`)).toEqual(calls);
  });

  it('gives absolute paths if the prompt has the folder of the agent', () => {
    const system = 'You are an agent.\nWorking directory: /home/me/my project\nBe brief.';
    expect(callFor(turn(pi, system), { read: 'src/a.js' }).call.input).toEqual({
      path: '/home/me/my project/src/a.js',
    });
    expect(callFor(turn(pi, system), { read: '/etc/hosts' }).call.input).toEqual({ path: '/etc/hosts' });
  });

  it('calls the shell in code with tools that take code', () => {
    const exec: OfferedTool = { name: 'exec', description: '', takes: 'text', parameters: {} };
    expect(callFor(turn([exec]), { read: 'a.txt' }).call).toEqual({
      tool: 'exec',
      input: 'text(await tools.exec_command({ cmd: "cat a.txt" }));',
    });
  });

  it('finds a likely tool of an agent it does not know', () => {
    const unknown = turn([
      tool('web_search', 'query!'),
      tool('fs_view', 'target_file!'),
      tool('runCommand', 'command!'),
    ]);
    expect(toolFor(unknown, 'read')?.name).toBe('fs_view');
    expect(toolFor(unknown, 'shell')?.name).toBe('runCommand');
    expect(toolFor(unknown, 'search')).toBeUndefined();
  });

  it('calls some tool with valid arguments if none fits', () => {
    expect(callFor(turn([tool('fetch', 'url!', 'mode')]), { read: 'a.txt' }).call).toEqual({
      tool: 'fetch',
      input: { url: 'http://127.0.0.1/' },
    });
  });

  it('quotes what the shell would split', () => {
    const bash = turn([tool('bash', 'command!')]);
    expect(callFor(bash, { search: "it's" }).call.input).toEqual({ command: String.raw`grep -rn -e 'it'\''s' .` });
  });

  it('throws if there are no tools', () => {
    expect(() => callFor(turn([]), { read: 'a.txt' })).toThrow('offers no tools');
  });
});
