/** Sessions as the agents write them down (see scan-material.mjs). */
import { hex, prose, time, uuid } from './scan-words.mjs';

/**
 * @typedef {import('./scan-material.mjs').Session} Session
 * @typedef {import('./scan-material.mjs').Step} Step
 */

/** @type {Record<string, (session: Session, random: () => number) => { path: string; text: string }>} */
export const writers = { claude, codex, gemini, qwen, opencode, trace };

/** @param {Session} session @param {() => number} random */
function claude({ id, number, steps, prompts, start }, random) {
  const cwd = `/home/ada/project-${number % 40}`;
  const echoes = number % 3 === 0;
  /** @type {string[]} */
  const lines = [];
  /** @type {string | null} */
  let parent = null;
  let at = start;
  /** @param {Record<string, unknown>} rest @param {string} [type] */
  function add(rest, type) {
    const line = {
      parentUuid: parent,
      isSidechain: false,
      userType: 'external',
      cwd,
      sessionId: id,
      version: '2.1.9',
      gitBranch: 'main',
      slug: 'quiet-humming-pond',
      ...(type === undefined ? {} : { type }),
      ...rest,
    };
    lines.push(JSON.stringify(line));
  }
  steps.forEach((step, k) => {
    const prompt = prompts.get(k);
    if (prompt !== undefined) {
      lines.push(
        JSON.stringify({
          type: 'file-history-snapshot',
          messageId: uuid(random),
          snapshot: { messageId: uuid(random), trackedFileBackups: {}, timestamp: time(at) },
          isSnapshotUpdate: false,
        }),
      );
      const own = uuid(random);
      add(
        {
          message: { role: 'user', content: prompt },
          uuid: own,
          timestamp: time(at),
          thinkingMetadata: { maxThinkingTokens: 31999 },
          todos: [],
        },
        'user',
      );
      parent = own;
    }
    const message = {
      model: 'claude-opus-4-5-20251101',
      id: `msg_${hex(random, 24)}`,
      type: 'message',
      role: 'assistant',
    };
    const usage = {
      input_tokens: 3,
      cache_creation_input_tokens: 900 + k,
      cache_read_input_tokens: 20_000 + k * 500,
      cache_creation: { ephemeral_5m_input_tokens: 900, ephemeral_1h_input_tokens: 0 },
      output_tokens: 150,
      service_tier: 'standard',
    };
    const call = `toolu_${hex(random, 24)}`;
    const blocks = [
      ...(step.think === '' ? [] : [{ type: 'thinking', thinking: step.think, signature: hex(random, 400) }]),
      ...(step.say === '' ? [] : [{ type: 'text', text: step.say }]),
      { type: 'tool_use', id: call, name: step.tool, input: step.input },
    ];
    for (const block of blocks) {
      at += 900;
      const own = uuid(random);
      add({
        message: { ...message, content: [block], stop_reason: null, stop_sequence: null, usage },
        requestId: `req_${hex(random, 24)}`,
        type: 'assistant',
        uuid: own,
        timestamp: time(at),
      });
      parent = own;
    }
    for (let j = 0; echoes && j < 2; j++)
      add(
        {
          data: {
            type: 'hook_progress',
            hookEvent: 'PostToolUse',
            hookName: `PostToolUse:${step.tool}`,
            command: 'node format.js',
            output: step.output.slice(0, 2000),
          },
          parentToolUseID: call,
          toolUseID: call,
          timestamp: time(at),
          uuid: uuid(random),
        },
        'progress',
      );
    at += 1500;
    const own = uuid(random);
    add(
      {
        message: {
          role: 'user',
          content: [
            {
              tool_use_id: call,
              type: 'tool_result',
              content: step.output,
              ...(step.failed || random() < 0.5 ? { is_error: step.failed } : {}),
            },
          ],
        },
        uuid: own,
        timestamp: time(at),
        toolUseResult: toldAgain(step),
        sourceToolAssistantUUID: parent,
      },
      'user',
    );
    parent = own;
  });
  return { path: `claude/projects/-home-ada-project-${number % 40}/${id}.jsonl`, text: `${lines.join('\n')}\n` };
}

/** What Claude Code keeps of a result for its user interface. @param {Step} step */
function toldAgain({ tool, input, output, file, from = 0, lines = 1, failed }) {
  if (failed) return `Error: ${output}`;
  if (tool === 'Read' && file)
    return {
      type: 'text',
      file: {
        filePath: file.path,
        content: file.lines.slice(from, from + lines).join('\n'),
        numLines: lines,
        startLine: from + 1,
        totalLines: file.lines.length,
      },
    };
  if (tool === 'Edit' && file)
    return {
      filePath: file.path,
      oldString: input.old_string,
      newString: input.new_string,
      originalFile: file.text,
      structuredPatch: [
        {
          oldStart: from,
          oldLines: lines,
          newStart: from,
          newLines: lines + 1,
          lines: file.lines.slice(Math.max(0, from - 3), from + lines + 3).map((line) => ` ${line}`),
        },
      ],
      userModified: false,
      replaceAll: false,
    };
  if (tool === 'Grep')
    return { mode: 'content', numFiles: 0, filenames: [], content: output, numLines: output.split('\n').length };
  return { stdout: output, stderr: '', interrupted: false, isImage: false };
}

/** @param {Session} session @param {() => number} random */
function codex({ id, number, steps, prompts, start }, random) {
  const cwd = `/home/ada/project-${number % 40}`;
  const isNew = number % 2 === 0;
  /** @type {string[]} */
  const lines = [];
  let at = start;
  let total = 0;
  /** @param {string} type @param {Record<string, unknown>} payload */
  function add(type, payload) {
    lines.push(JSON.stringify({ timestamp: time(at), ...(isNew ? { ordinal: lines.length } : {}), type, payload }));
  }
  add('session_meta', {
    id,
    timestamp: time(at),
    cwd,
    originator: 'codex_cli_rs',
    cli_version: '0.106.0',
    instructions: null,
    source: 'cli',
    model_provider: 'openai',
    base_instructions: { text: prose(random, 3000) },
    git: { branch: 'main' },
  });
  steps.forEach((step, k) => {
    const prompt = prompts.get(k);
    if (prompt !== undefined) {
      add('turn_context', {
        cwd,
        approval_policy: 'on-request',
        sandbox_policy: { type: 'workspace-write', network_access: false },
        model: 'gpt-5.2-codex',
        effort: 'high',
        summary: 'auto',
        user_instructions: prose(random, 400),
      });
      add('response_item', { type: 'message', role: 'user', content: [{ type: 'input_text', text: prompt }] });
      add('event_msg', { type: 'user_message', message: prompt, images: [] });
    }
    at += 2500;
    const thought = `**${prose(random, 3)}**\n\n${step.think || prose(random, 90)}`;
    if (random() < 0.6) {
      add('event_msg', { type: 'agent_reasoning', text: thought });
      add('response_item', {
        type: 'reasoning',
        summary: [{ type: 'summary_text', text: thought }],
        content: null,
        encrypted_content: `gAAAAA${hex(random, 1500 + Math.floor(random() * 4000))}`,
      });
    }
    if (step.say !== '') {
      add('event_msg', { type: 'agent_message', message: step.say });
      add('response_item', { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: step.say }] });
    }
    const call = `call_${hex(random, 24)}`;
    const command = String(
      step.input.command ?? `${step.tool === 'Edit' ? 'apply_patch' : 'sed -n'} ${JSON.stringify(step.input)}`,
    );
    add('response_item', {
      type: 'function_call',
      name: 'exec_command',
      arguments: JSON.stringify({ cmd: command, workdir: cwd, yield_time_ms: 1000 }),
      call_id: call,
    });
    total += 9264 + k * 500;
    add('event_msg', {
      type: 'token_count',
      info: {
        total_token_usage: {
          input_tokens: 9000 + k * 500,
          cached_input_tokens: 8000,
          output_tokens: 200,
          reasoning_output_tokens: 64,
          total_tokens: total,
        },
        last_token_usage: {
          input_tokens: 9000 + k * 500,
          cached_input_tokens: 8000,
          output_tokens: 200,
          reasoning_output_tokens: 64,
          total_tokens: 9264 + k * 500,
        },
        model_context_window: 272_000,
      },
      rate_limits: { primary: { used_percent: 12, window_minutes: 300, resets_at: 1_794_711_260 }, secondary: null },
    });
    at += 1500;
    const output = `Chunk ID: ${hex(random, 6)}\nWall time: ${random().toFixed(4)} seconds\nProcess exited with code ${step.failed ? 1 : 0}\nOriginal token count: ${step.output.length >> 2}\nOutput:\n${step.output}`;
    if (isNew)
      add('event_msg', {
        type: 'item_completed',
        thread_id: id,
        turn_id: `${number}-${k}`,
        item: {
          type: 'CommandExecution',
          id: call,
          command,
          cwd,
          aggregated_output: step.output,
          exit_code: step.failed ? 1 : 0,
          status: 'completed',
        },
      });
    add('response_item', { type: 'function_call_output', call_id: call, output });
  });
  const day = new Date(start);
  return {
    path: `codex/sessions/${day.getUTCFullYear()}/${String(day.getUTCMonth() + 1).padStart(2, '0')}/${String(day.getUTCDate()).padStart(2, '0')}/rollout-${id}.jsonl`,
    text: `${lines.join('\n')}\n`,
  };
}

/** @param {Session} session @param {() => number} random */
function gemini({ id, number, steps, prompts, start }, random) {
  /** @type {object[]} */
  const lines = [
    { sessionId: id, projectHash: hex(random, 64), startTime: time(start), lastUpdated: time(start), kind: 'main' },
  ];
  let at = start;
  steps.forEach((step, k) => {
    const prompt = prompts.get(k);
    if (prompt !== undefined)
      lines.push({ id: uuid(random), timestamp: time(at), type: 'user', content: [{ text: prompt }] });
    at += 2500;
    const message = {
      id: uuid(random),
      timestamp: time(at),
      type: 'gemini',
      content: step.say,
      thoughts: step.think === '' ? [] : [{ subject: prose(random, 3), description: step.think, timestamp: time(at) }],
      tokens: { input: 9000 + k * 300, output: 90, cached: 0, thoughts: 30, tool: 0, total: 9120 + k * 300 },
      model: 'gemini-3-pro',
    };
    const call = `${step.tool}-${at}-${hex(random, 12)}`;
    const done = {
      id: call,
      name: step.tool === 'Bash' ? 'run_shell_command' : 'read_file',
      args: step.input,
      result: [{ functionResponse: { id: call, name: step.tool, response: { output: step.output } } }],
      status: step.failed ? 'error' : 'success',
      timestamp: time(at + 900),
      resultDisplay: step.output.slice(0, 400),
      displayName: step.tool,
      description: step.say.slice(0, 80),
      renderOutputAsMarkdown: false,
    };
    lines.push(
      message,
      { $set: { lastUpdated: time(at) } },
      { ...message, toolCalls: [done] },
      { $set: { lastUpdated: time(at + 900) } },
    );
  });
  return {
    path: `gemini/tmp/project-${number % 40}/chats/session-${id}.jsonl`,
    text: `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`,
  };
}

/** @param {Session} session @param {() => number} random */
function qwen({ id, number, steps, prompts, start }, random) {
  /** @type {object[]} */
  const lines = [];
  let at = start;
  /** @param {string} type @param {object} rest */
  function add(type, rest) {
    at += 400;
    lines.push({
      uuid: uuid(random),
      parentUuid: uuid(random),
      sessionId: id,
      timestamp: time(at),
      type,
      cwd: `/home/ada/project-${number % 40}`,
      version: '0.24.4',
      ...rest,
    });
  }
  steps.forEach((step, k) => {
    const prompt = prompts.get(k);
    if (prompt !== undefined) add('user', { message: { role: 'user', parts: [{ text: prompt }] } });
    add('system', {
      subtype: 'ui_telemetry',
      systemPayload: {
        uiEvent: {
          'event.name': 'qwen-code.api_response',
          'event.timestamp': time(at),
          model: 'qwen3-coder',
          status_code: 200,
          duration_ms: 765,
          input_token_count: 18_995,
          response_text: `${step.say}${step.think}`,
        },
      },
    });
    const call = `call_${hex(random, 24)}`;
    add('assistant', {
      model: 'qwen3-coder',
      message: {
        role: 'model',
        parts: [
          ...(step.think === '' ? [] : [{ text: step.think, thought: true }]),
          ...(step.say === '' ? [] : [{ text: step.say }]),
          { functionCall: { id: call, name: step.tool, args: step.input } },
        ],
      },
      usageMetadata: {
        promptTokenCount: 18_995 + k,
        candidatesTokenCount: 28,
        thoughtsTokenCount: 8,
        totalTokenCount: 19_023 + k,
        cachedContentTokenCount: 0,
      },
    });
    add('system', {
      subtype: 'ui_telemetry',
      systemPayload: {
        uiEvent: {
          'event.name': 'qwen-code.tool_call',
          'event.timestamp': time(at),
          call_id: call,
          function_name: step.tool,
          function_args: step.input,
          duration_ms: 31,
          status: 'success',
          success: true,
          content_length: step.output.length,
        },
      },
    });
    add('tool_result', {
      message: {
        role: 'user',
        parts: [{ functionResponse: { id: call, name: step.tool, response: { output: step.output } } }],
      },
      toolCallResult: { callId: call, status: step.failed ? 'error' : 'success', resultDisplay: step.output },
    });
  });
  return {
    path: `qwen/projects/project-${number % 40}/chats/${id}.jsonl`,
    text: `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`,
  };
}

/** @param {Session} session @param {() => number} random */
function opencode({ id, steps, prompts, start }, random) {
  let at = start;
  const ids = () => ({ id: `prt_${hex(random, 20)}`, sessionID: `ses_${id}`, messageID: `msg_${hex(random, 20)}` });
  const messages = steps.flatMap((step, k) => {
    const prompt = prompts.get(k);
    at += 2500;
    return [
      ...(prompt === undefined
        ? []
        : [
            {
              info: { role: 'user', time: { created: at }, agent: 'build', ...ids() },
              parts: [{ type: 'text', text: prompt, ...ids() }],
            },
          ]),
      {
        info: {
          role: 'assistant',
          mode: 'build',
          path: { cwd: '/home/ada/project', root: '/' },
          cost: 0.01,
          tokens: { total: 7711, input: 7683, output: 20, reasoning: 8, cache: { write: 0, read: 0 } },
          modelID: 'gpt-5.2',
          providerID: 'openai',
          time: { created: at, completed: at + 900 },
          finish: 'tool-calls',
          ...ids(),
        },
        parts: [
          ...(step.think === ''
            ? []
            : [{ type: 'reasoning', text: step.think, time: { start: at, end: at + 100 }, ...ids() }]),
          ...(step.say === '' ? [] : [{ type: 'text', text: step.say, time: { start: at, end: at + 200 }, ...ids() }]),
          {
            type: 'tool',
            callID: `call_${hex(random, 20)}`,
            tool: step.tool.toLowerCase(),
            state: {
              status: step.failed ? 'error' : 'completed',
              input: step.input,
              output: step.output,
              metadata: { preview: step.output.slice(0, 1000) },
              title: step.tool,
              time: { start: at + 300, end: at + 800 },
            },
            ...ids(),
          },
        ],
      },
    ];
  });
  const info = {
    id: `ses_${id}`,
    slug: 'playful-panda',
    directory: '/home/ada/project',
    title: prose(random, 5),
    version: '1.18.33',
    time: { created: start, updated: at },
  };
  return { path: `opencode/exports/${id}.json`, text: JSON.stringify({ info, messages }, undefined, 1) };
}

/** @param {Session} session */
function trace({ id, steps, prompts, start }) {
  /** @type {object[]} */
  const lines = [{ loopfuse: 1, session: id, agent: 'toy', model: 'gpt-5.2' }];
  steps.forEach((step, k) => {
    const at = start + k * 4000;
    const prompt = prompts.get(k);
    if (prompt !== undefined) lines.push({ type: 'prompt', at, text: prompt });
    lines.push({ type: 'turn-start', at });
    if (step.think !== '') lines.push({ type: 'reasoning', at, text: step.think });
    if (step.say !== '') lines.push({ type: 'text', at, text: step.say });
    lines.push({ type: 'tool-call', at, id: `c${k}`, tool: step.tool, input: step.input }, { type: 'turn-end', at });
    lines.push({ type: 'tool-result', at: at + 900, id: `c${k}`, output: step.output, failed: step.failed });
  });
  return { path: `traces/${id}.jsonl`, text: `${lines.map((line) => JSON.stringify(line)).join('\n')}\n` };
}
