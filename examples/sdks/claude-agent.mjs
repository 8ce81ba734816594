// Guard an agent of the Claude Agent SDK with hooks. The model is a scripted server on this machine that reads the same
// file over and over until it is told so; the tool runs in this process.
//
// Prints: read
// Prints: told the model: The call mcp__workspace__read_file
// Prints: answer: You are right, I was repeating myself.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSdkMcpServer, query, tool } from '@anthropic-ai/claude-agent-sdk';
import { loopHooks, openSession } from '@loopfuse/claude-agent';
import { loopsForever, recoversAfterSteer, startModelServer } from '@loopfuse/model-server';
import { z } from 'zod';

const script = recoversAfterSteer({ marker: '[Loop guard]', loop: loopsForever({ rounds: 30 }) });
const server = await startModelServer({ script });
const home = mkdtempSync(join(tmpdir(), 'loopfuse-example-'));

const readFile = tool('read_file', 'Reads a file.', { path: z.string() }, async () => {
  console.log('read');
  return { content: [{ type: 'text', text: '# Sample' }] };
});
const session = openSession({
  onDecision: (decision) => decision.type === 'steer' && console.log(`told the model: ${decision.message}`),
});
const messages = query({
  prompt: 'What is in the readme?',
  options: {
    hooks: { ...loopHooks(session) },
    cwd: home,
    tools: [],
    mcpServers: { workspace: createSdkMcpServer({ name: 'workspace', tools: [readFile] }) },
    allowedTools: ['mcp__workspace__read_file'],
    settingSources: [],
    env: {
      PATH: process.env.PATH,
      HOME: home,
      CLAUDE_CONFIG_DIR: home,
      ANTHROPIC_BASE_URL: server.url,
      ANTHROPIC_API_KEY: 'none needed',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    },
  },
});
for await (const message of messages) if (message.type === 'result') console.log(`answer: ${message.result}`);
await server.close();
rmSync(home, { recursive: true, force: true });
