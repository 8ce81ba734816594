import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSdkMcpServer, query, tool } from '@anthropic-ai/claude-agent-sdk';
import { loopsForever, type Script, startModelServer } from '@loopfuse/model-server';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { type LoopError, loopHooks } from './index.js';

/** Hands every request over to the sub-agent `helper`, which reads the same file until it is stopped. */
const delegates: Script = (turn) => {
  const agent = turn.tools.find(({ name }) => name === 'Agent' || name === 'Task');
  if (agent === undefined) return loopsForever({ rounds: 20 })(turn);
  if (turn.turn > 0) return { parts: [{ text: 'The helper is at work.' }] };
  const input = { description: 'read it', prompt: 'Read the readme.', subagent_type: 'helper' };
  return { parts: [{ call: { tool: agent.name, input } }] };
};

test('sub-agents are lanes by themselves, and one object of hooks keeps many queries apart', async () => {
  const home = mkdtempSync(join(tmpdir(), 'loopfuse-claude-'));
  const errors: LoopError[] = [];
  const hooks = loopHooks({ onStop: (error) => errors.push(error) });
  const run = async (script: Script) => {
    const server = await startModelServer({ script });
    let reads = 0;
    const read = tool('read_file', 'Reads a file.', { path: z.string() }, async () => {
      reads++;
      return { content: [{ type: 'text', text: '# Sample' }] };
    });
    const messages = query({
      prompt: 'Find out what main does.',
      options: {
        cwd: home,
        model: 'claude-sonnet-4-5',
        agents: { helper: { description: 'Reads files.', prompt: 'Read.', tools: ['mcp__workspace__read_file'] } },
        mcpServers: { workspace: createSdkMcpServer({ name: 'workspace', tools: [read] }) },
        permissionMode: 'bypassPermissions',
        allowDangerouslySkipPermissions: true,
        maxTurns: 40,
        settingSources: [],
        hooks,
        env: {
          PATH: process.env.PATH,
          HOME: home,
          CLAUDE_CONFIG_DIR: home,
          IS_SANDBOX: '1',
          ANTHROPIC_BASE_URL: server.url,
          ANTHROPIC_API_KEY: 'scripted',
          CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
          DISABLE_TELEMETRY: '1',
        },
      },
    });
    for await (const _ of messages);
    await server.close();
    return reads;
  };
  try {
    const [delegated, short] = await Promise.all([run(delegates), run(loopsForever({ rounds: 2 }))]);
    expect(delegated).toBeLessThan(6);
    expect(short).toBeLessThan(3);
    expect(errors).toHaveLength(1);
    expect(errors[0]?.findings[0]).toMatchObject({ kind: 'repeated-calls', lane: expect.stringMatching(/./) });
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
});
