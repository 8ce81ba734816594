import { join } from 'node:path';
import { homeOf } from '../home.js';
import type { Environment } from '../protocol/protocol.js';

export type Scope = 'user' | 'project';

/** Where an agent keeps its hooks, and what has to be written there. */
export interface InstallableAgent {
  readonly name: AgentName;
  /** The usual spelling. */
  readonly title: string;
  /** A settings file that is shared with others, or a file of our own. */
  readonly place: Place;
  userFile(env: Environment): string;
  /** Relative to the project. */
  readonly projectFile: string;
  /** What the user must do or know after installing. */
  readonly note?: string;
}

export type Place =
  | {
      readonly type: 'settings';
      /** The events that call us; those about tools have a matcher. */
      readonly events: readonly { readonly name: string; readonly matcher?: string }[];
      /** The time limit of a handler: ten seconds, in the agent's unit. */
      readonly timeout: number;
    }
  | { readonly type: 'copilot'; readonly events: readonly string[] }
  | { readonly type: 'plugin' };

export const agentNames = ['claude-code', 'codex', 'gemini-cli', 'qwen-code', 'opencode', 'copilot'] as const;
export type AgentName = (typeof agentNames)[number];

const tools = (...names: string[]) => names.map((name) => ({ name, matcher: '*' }));

export const agents: { readonly [Name in AgentName]: InstallableAgent } = {
  'claude-code': {
    name: 'claude-code',
    title: 'Claude Code',
    place: {
      type: 'settings',
      events: [{ name: 'UserPromptSubmit' }, ...tools('PreToolUse', 'PostToolUse', 'PostToolUseFailure')],
      timeout: 10,
    },
    userFile: (env) => join(env.CLAUDE_CONFIG_DIR || join(homeOf(env), '.claude'), 'settings.json'),
    projectFile: join('.claude', 'settings.json'),
  },
  codex: {
    name: 'codex',
    title: 'Codex',
    place: {
      type: 'settings',
      events: [{ name: 'UserPromptSubmit' }, ...tools('PreToolUse', 'PostToolUse')],
      timeout: 10,
    },
    userFile: (env) => join(env.CODEX_HOME || join(homeOf(env), '.codex'), 'hooks.json'),
    projectFile: join('.codex', 'hooks.json'),
    note: 'Codex runs new hooks only after you have trusted them: start it and enter /hooks.',
  },
  'gemini-cli': {
    name: 'gemini-cli',
    title: 'Gemini CLI',
    place: {
      type: 'settings',
      events: [{ name: 'BeforeAgent' }, ...tools('BeforeTool', 'AfterTool')],
      timeout: 10_000,
    },
    userFile: (env) => join(env.GEMINI_CLI_HOME || homeOf(env), '.gemini', 'settings.json'),
    projectFile: join('.gemini', 'settings.json'),
  },
  'qwen-code': {
    name: 'qwen-code',
    title: 'Qwen Code',
    place: {
      type: 'settings',
      events: [{ name: 'UserPromptSubmit' }, ...tools('PreToolUse', 'PostToolUse', 'PostToolUseFailure')],
      timeout: 10,
    },
    userFile: (env) => join(homeOf(env), '.qwen', 'settings.json'),
    projectFile: join('.qwen', 'settings.json'),
  },
  opencode: {
    name: 'opencode',
    title: 'opencode',
    place: { type: 'plugin' },
    userFile: (env) => join(env.XDG_CONFIG_HOME || join(homeOf(env), '.config'), 'opencode', 'plugin', 'loopfuse.js'),
    projectFile: join('.opencode', 'plugin', 'loopfuse.js'),
  },
  copilot: {
    name: 'copilot',
    title: 'Copilot CLI',
    place: { type: 'copilot', events: ['userPromptSubmitted', 'preToolUse', 'postToolUse', 'postToolUseFailure'] },
    userFile: (env) => join(env.COPILOT_HOME || join(homeOf(env), '.copilot'), 'hooks', 'loopfuse.json'),
    projectFile: join('.github', 'hooks', 'loopfuse.json'),
  },
};
