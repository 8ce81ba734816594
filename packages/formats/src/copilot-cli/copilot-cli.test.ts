import { describe, expect, it } from 'vitest';
import { linesOf, readBytes, readFixture } from '../testing/read-fixture.js';
import { translatorLaws } from '../testing/translator-laws.js';

translatorLaws('copilot-cli', import.meta.url, { repeats: true });

describe('copilot-cli', () => {
  it('reads a sub-agent as a lane, the two records of a call as one, and no usage that is incomplete', async () => {
    expect(await readFixture(import.meta.url, 'sub-agent-1.0.jsonl')).toMatchObject([
      {
        id: 'bb000000-0000-4000-8000-000000000001',
        model: 'claude-sonnet-4.6',
        project: '/home/ada/sample',
        version: '1.0.12',
        lines: [
          'prompt: Tidy up',
          'turn-start',
          'reasoning: A helper can do it.',
          'call tu1: task {"prompt":"tidy"}',
          '[tu1] turn-start',
          '[tu1] text: On it.',
          '[tu1] call tu2: bash {"command":"rm x"}',
          '[tu1] turn-end',
          '[tu1] result tu2 failed: rm: x: not found',
          'turn-end',
          'result tu1 fine: Nothing to do.',
          'compaction',
          'turn-end: interrupted',
        ],
      },
    ]);
  });

  it('counts what a sub-agent uses in its lane, and a command by its exit code', async () => {
    const data = { model: 'm', toolRequests: [] };
    const lines = [
      { type: 'session.start', data: { sessionId: 's', selectedModel: 'large' } },
      { type: 'subagent.started', agentId: 'a', data: { toolCallId: 'tu1' } },
      { type: 'session.model_change', agentId: 'a', data: { newModel: 'small' } },
      { type: 'session.usage_record', agentId: 'a', data: { usage: { inputTokens: 3, outputTokens: 2 } } },
      { type: 'assistant.message', agentId: 'a', data: { ...data, content: 'On it.', parentToolCallId: 'tu1' } },
      { type: 'tool.execution_start', data: { toolCallId: 'tu2', toolName: 'bash', arguments: {} } },
      {
        type: 'tool.execution_complete',
        data: { toolCallId: 'tu2', success: true, result: { content: '\n<shellId: 0 completed with exit code 3>' } },
      },
    ].map((line, k) => `${JSON.stringify({ id: `${k}`, ...line })}\n`);
    const { sessions } = await readBytes([Buffer.from(lines.join(''))]);
    const { session, events } = sessions[0]!;
    expect(session.model).toBe('large');
    const read = linesOf(events);
    expect(read).toContain('[tu1] usage 3 + 2');
    expect(read).toContain('[tu1] text: On it.');
    expect(read).toContain('result tu2 failed: \n<shellId: 0 completed with exit code 3>');
    expect(read.filter((line) => line.startsWith('[a]'))).toEqual([]);
  });
});
