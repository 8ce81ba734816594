import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSdkMcpServer, query, tool } from '@anthropic-ai/claude-agent-sdk';
import { type AdapterDriver, adapterLaws } from '@loopfuse/testkit/adapters';
import { z } from 'zod';
import { loopHooks, withLoopError } from './index.js';

// One for all runs: a call with another path would be another call. Nothing is written there.
const cwd = join(tmpdir(), 'loopfuse-claude-workspace');

const driver: AdapterDriver = {
  name: 'Claude Agent SDK',
  protocol: 'anthropic',
  adds: /mcp__workspace__|\/[\w/-]*\/loopfuse-claude-workspace\//g,
  cannot: {
    whole: 'the SDK always asks for a stream',
    rewind: 'no hook reaches the history',
    escalate: 'no hook chooses the model of one turn',
  },
  async run({ url, prompt, tools, session, signal, approve }) {
    mkdirSync(cwd, { recursive: true });
    const home = mkdtempSync(join(tmpdir(), 'loopfuse-claude-'));
    const abortController = new AbortController();
    signal.addEventListener('abort', () => abortController.abort());
    const workspace = createSdkMcpServer({
      name: 'workspace',
      tools: tools.map((one) =>
        tool(
          one.name,
          one.description,
          Object.fromEntries(one.parameters.map((name) => [name, z.string()])),
          async (input) => ({ content: [{ type: 'text', text: one.execute(input as Record<string, string>) }] }),
        ),
      ),
    });
    try {
      let text = '';
      const asked = query({
        prompt,
        options: {
          cwd,
          model: 'claude-sonnet-4-5',
          systemPrompt: 'You are a careful worker.',
          tools: [],
          mcpServers: { workspace },
          allowedTools: ['mcp__workspace'],
          permissionMode: 'default',
          canUseTool: async (_tool, input, { decisionReason = '' }) =>
            approve(decisionReason)
              ? { behavior: 'allow', updatedInput: input }
              : { behavior: 'deny', message: 'Declined by the user.' },
          maxTurns: 60,
          settingSources: [],
          abortController,
          hooks: loopHooks(session),
          env: {
            PATH: process.env.PATH,
            HOME: home,
            CLAUDE_CONFIG_DIR: home,
            IS_SANDBOX: '1',
            ANTHROPIC_BASE_URL: url,
            ANTHROPIC_API_KEY: 'scripted',
            CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
            DISABLE_TELEMETRY: '1',
          },
        },
      });
      for await (const message of withLoopError(asked, session))
        if (message.type === 'result' && message.subtype === 'success') text = message.result;
      return text;
    } finally {
      rmSync(home, { recursive: true, force: true });
    }
  },
};

adapterLaws(driver);
