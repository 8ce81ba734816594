import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { runLoopfuse } from '../../testing/run-loopfuse.js';
import { agentLogs } from './agent-logs.js';

const home = mkdtempSync(join(tmpdir(), 'loopfuse-home-'));
afterAll(() => rmSync(home, { recursive: true }));
const trace = fileURLToPath(new URL('../commands/scan/fixtures/mixed.jsonl', import.meta.url));

/** Every place that is searched, with the agent it belongs to. */
const places = [
  ['claude-code', '.claude/projects/-p/a.jsonl', {}],
  ['claude-code', 'elsewhere/projects/-p/a.jsonl', { CLAUDE_CONFIG_DIR: 'elsewhere' }],
  ['codex', '.codex/sessions/2026/01/31/rollout-a.jsonl', {}],
  ['codex', 'codex/sessions/2026/01/31/rollout-a.jsonl', { CODEX_HOME: 'codex' }],
  ['gemini-cli', '.gemini/tmp/hash/chats/session-a.json', {}],
  ['gemini-cli', 'gem/.gemini/tmp/hash/chats/session-a.jsonl', { GEMINI_CLI_HOME: 'gem' }],
  ['qwen-code', '.qwen/projects/p/chats/a.jsonl', {}],
  ['qwen-code', '.qwen/projects/p/subagents/s/agent-a.jsonl', {}],
  ['qwen-code', 'q/projects/p/chats/a.jsonl', { QWEN_HOME: 'q' }],
  ['qwen-code', 'run/projects/p/chats/a.jsonl', { QWEN_HOME: 'q', QWEN_RUNTIME_DIR: 'run' }],
  ['opencode', '.local/share/opencode/opencode.db', {}],
  ['opencode', 'data/opencode/opencode.db', { XDG_DATA_HOME: 'data' }],
  ['opencode', '.local/share/opencode/opencode-dev.db', {}],
  ['opencode', 'elsewhere/mine.db', { OPENCODE_DB: 'elsewhere/mine.db' }],
  ['copilot-cli', '.copilot/session-state/a/events.jsonl', {}],
  ['copilot-cli', 'pilot/session-state/a/events.jsonl', { COPILOT_HOME: 'pilot' }],
  ['cline', '.cline/data/tasks/1/api_conversation_history.json', {}],
  ['cline', '.config/Code/User/globalStorage/saoudrizwan.claude-dev/tasks/1/ui_messages.json', {}],
  ['roo-code', '.config/Code/User/globalStorage/rooveterinaryinc.roo-cline/tasks/1/ui_messages.json', {}],
  ['pi', '.pi/agent/sessions/--p--/a.jsonl', {}],
  ['kimi', '.kimi/sessions/h/a/wire.jsonl', {}],
  ['kimi', '.kimi-code/sessions/wd/session_a/agents/main/wire.jsonl', {}],
  ['kimi', 'k/sessions/wd/session_a/agents/main/wire.jsonl', { KIMI_CODE_HOME: 'k' }],
  ['openhands', '.openhands/sessions/a/events/0.json', {}],
  ['aider', 'work/.aider.chat.history.md', {}],
  ['loopfuse', '.loopfuse/sessions/sample-0a1b2c3d/a.json', {}],
] as const;

test.each(places)('the logs of %s are looked for at %s', (agent, path, env) => {
  const own = mkdtempSync(join(home, 'one-'));
  const file = join(own, path);
  mkdirSync(dirname(file), { recursive: true });
  cpSync(trace, file);
  const there = Object.fromEntries(Object.entries(env).map(([name, folder]) => [name, join(own, folder)]));
  const found = agentLogs({ HOME: own, ...there }, join(own, 'work'));
  expect(found.map((one) => one.agent)).toEqual([agent]);
  expect(found[0]!.paths.some((folder) => file.startsWith(folder))).toBe(true);
  rmSync(own, { recursive: true });
});

test('plain scan says what it found of whom, reads it, and skips what is no session', async () => {
  const own = mkdtempSync(join(home, 'whole-'));
  for (const path of ['.claude/projects/-p/a.jsonl', '.codex/sessions/b.jsonl', '.codex/sessions/c.jsonl']) {
    mkdirSync(dirname(join(own, path)), { recursive: true });
    const text = readFileSync(trace, 'utf8').replaceAll('"session":"', `"session":"${path} `); // or they were copies
    writeFileSync(join(own, path), text);
  }
  cpSync(fileURLToPath(import.meta.url), join(own, '.claude/projects/notes.md'));
  const { code, stdout, stderr } = await runLoopfuse(['scan'], { env: { HOME: own }, cwd: own });
  expect(code).toBe(0);
  expect(stderr).toMatch(/^Found on this machine:\n {2}claude-code {2}2 files, .*B\n {2}codex {8}2 files, .*B\n$/);
  expect(stdout).toContain('9 of 12 sessions loop');
  const one = await runLoopfuse(['scan', '--agent', 'codex'], { env: { HOME: own }, cwd: own });
  expect(one.stdout).toContain('2 of 2 sessions loop');
});

test('where no agent has been, plain scan says what to do', async () => {
  const own = mkdtempSync(join(home, 'empty-'));
  const { code, stdout, stderr } = await runLoopfuse(['scan'], { env: { HOME: own }, cwd: own });
  expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
  expect(stderr).toMatch(/^No agent logs found in the default locations\. .* scan PATH…\n$/);
});
