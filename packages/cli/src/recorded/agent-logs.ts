import { type Dirent, existsSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/** Where an agent stores its logs on this machine. */
export interface AgentLogs {
  /** The name that sessions give it. */
  readonly agent: string;
  /** Files and folders that are there. */
  readonly paths: readonly string[];
}

/** The default locations of every known agent that exist. */
export function agentLogs(env: NodeJS.ProcessEnv, cwd: string): AgentLogs[] {
  return Object.entries(placesOf(env, cwd))
    .map(([agent, paths]) => ({ agent, paths: outermost(paths.filter((path) => existsSync(path))) }))
    .filter(({ paths }) => paths.length > 0);
}

/** The names of the agents whose logs are found without a path. */
export function agentNames(env: NodeJS.ProcessEnv): string[] {
  return Object.keys(placesOf(env, '.'));
}

function placesOf(env: NodeJS.ProcessEnv, cwd: string): Record<string, readonly string[]> {
  const home = env.HOME || env.USERPROFILE || homedir();
  const at = (...parts: string[]) => join(home, ...parts);
  const data = env.XDG_DATA_HOME || at('.local', 'share');
  const editors = editorStores(env, home);
  return {
    'claude-code': [
      ...(env.CLAUDE_CONFIG_DIR
        ? env.CLAUDE_CONFIG_DIR.split(',').map((folder) => join(folder.trim(), 'projects'))
        : []),
      at('.claude', 'projects'),
      at('.config', 'claude', 'projects'),
    ],
    codex: inEach([env.CODEX_HOME || at('.codex')], ['sessions', 'archived_sessions']),
    'gemini-cli': chatsIn(join(env.GEMINI_CLI_HOME || home, '.gemini', 'tmp')),
    'qwen-code': inEach([env.QWEN_RUNTIME_DIR || env.QWEN_HOME || at('.qwen')], ['projects', 'tmp']).flatMap(
      (folder) => [...chatsIn(folder), ...inEach(childrenOf(folder), ['subagents'])],
    ),
    opencode: [join(data, 'opencode'), at('Library', 'Application Support', 'opencode')].flatMap((folder) => [
      ...(env.OPENCODE_DB ? [resolve(folder, env.OPENCODE_DB)] : []),
      ...databasesOf(folder),
      ...inEach([folder], [join('storage', 'session'), join('storage', 'session', 'info')]),
    ]),
    'copilot-cli': inEach([env.COPILOT_HOME || at('.copilot')], ['session-state', 'history-session-state']),
    cline: [
      ...inEach([env.CLINE_DATA_DIR || join(env.CLINE_DIR || at('.cline'), 'data')], ['tasks', 'sessions']),
      ...inEach(editors, [join('saoudrizwan.claude-dev', 'tasks')]),
    ],
    'roo-code': inEach(editors, [join('rooveterinaryinc.roo-cline', 'tasks')]),
    pi: [join(env.PI_CODING_AGENT_DIR || at('.pi', 'agent'), 'sessions')],
    kimi: inEach([at('.kimi'), env.KIMI_CODE_HOME || at('.kimi-code')], ['sessions']),
    droid: [at('.factory', 'sessions')],
    cursor: childrenOf(at('.cursor', 'projects')).map((folder) => join(folder, 'agent-transcripts')),
    openhands: inEach([at('.openhands')], ['sessions', 'conversations', 'trajectories']),
    aider: [join(cwd, '.aider.chat.history.md')],
    loopfuse: [at('.loopfuse', 'sessions')],
  };
}

/** Where VS Code and similar editors keep the data of extensions. */
function editorStores(env: NodeJS.ProcessEnv, home: string): string[] {
  const roots = [
    env.XDG_CONFIG_HOME || join(home, '.config'),
    join(home, 'Library', 'Application Support'),
    ...(env.APPDATA ? [env.APPDATA] : []),
  ];
  const names = ['Code', 'Code - Insiders', 'VSCodium', 'Cursor', 'Windsurf'];
  const servers = ['.vscode-server', '.vscode-server-insiders', '.cursor-server'].map((name) =>
    join(home, name, 'data', 'User', 'globalStorage'),
  );
  return [
    ...roots.flatMap((root) => names.map((name) => join(root, name, 'User', 'globalStorage'))),
    ...servers,
    join(home, '.local', 'share', 'code-server', 'User', 'globalStorage'),
  ];
}

/** opencode's database, and those of its versions from other channels (`opencode-dev.db`). */
function databasesOf(folder: string): string[] {
  return namesIn(folder)
    .filter((entry) => entry.isFile() && /^opencode(-[\w.-]+)?\.db$/.test(entry.name))
    .map((entry) => join(folder, entry.name));
}

function chatsIn(folder: string): string[] {
  return childrenOf(folder).map((project) => join(project, 'chats'));
}

function childrenOf(folder: string): string[] {
  return namesIn(folder)
    .filter((entry) => entry.isDirectory())
    .map((entry) => join(folder, entry.name));
}

function namesIn(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return [];
  }
}

function inEach(roots: readonly string[], names: readonly string[]): string[] {
  return roots.flatMap((root) => names.map((name) => join(root, name)));
}

/** Each place once, and none that lies within another. */
function outermost(paths: readonly string[]): string[] {
  const known = [...new Set(paths.map((path) => resolve(path)))];
  return known.filter((path) => !known.some((other) => other !== path && path.startsWith(join(other, '/'))));
}
