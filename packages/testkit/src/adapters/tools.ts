import { workspaceFiles } from '@loopfuse/model-server';

/** A tool of the scripted agents, for an SDK to offer in its own way. */
export interface ScriptedTool {
  readonly name: string;
  readonly description: string;
  /** Names of the parameters; all of them are required strings. */
  readonly parameters: readonly string[];
  execute(input: Readonly<Record<string, string>>): string;
}

export interface Execution {
  readonly tool: string;
  readonly input: Readonly<Record<string, string>>;
}

/** The tools of a small workspace in memory, and a record of what was run. */
export function workspaceTools(): {
  readonly tools: readonly ScriptedTool[];
  readonly executions: readonly Execution[];
} {
  const files = new Map(Object.entries(workspaceFiles));
  const executions: Execution[] = [];
  const tool = (
    name: string,
    description: string,
    parameters: readonly string[],
    execute: (input: Readonly<Record<string, string>>) => string,
  ): ScriptedTool => ({
    name,
    description,
    parameters,
    execute(given) {
      const input = given.path === undefined ? given : { ...given, path: inWorkspace(given.path) };
      executions.push({ tool: name, input });
      return execute(input);
    },
  });
  const tools = [
    tool('read_file', 'Reads a file.', ['path'], ({ path = '' }) => files.get(path) ?? `Error: ${path} does not exist`),
    tool('search_files', 'Searches all files for a text.', ['query'], ({ query = '' }) => {
      const hits = [...files].filter(([, text]) => text.includes(query)).map(([path]) => path);
      return hits.length > 0 ? hits.join('\n') : 'no match';
    }),
    tool('write_file', 'Writes a file.', ['path', 'content'], ({ path = '', content = '' }) => {
      files.set(path, content);
      return `${path} was written`;
    }),
    tool('run_shell_command', 'Runs a command.', ['command'], ({ command = '' }) => `$ ${command}\n1 passed`),
  ];
  return { tools, executions };
}

/** Some SDKs give the model a folder and get absolute paths, which mean the same files. */
function inWorkspace(path: string): string {
  const known = [...Object.keys(workspaceFiles), 'check.mjs'].find((name) => path.endsWith(`/${name}`));
  return known ?? path;
}

/** The JSON schema of a tool's parameters. */
export function schemaOf({ parameters }: ScriptedTool): {
  type: 'object';
  properties: Record<string, { type: 'string' }>;
  required: string[];
  additionalProperties: false;
} {
  return {
    type: 'object',
    properties: Object.fromEntries(parameters.map((name) => [name, { type: 'string' as const }])),
    required: [...parameters],
    additionalProperties: false,
  };
}
