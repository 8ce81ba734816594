import type { Json } from 'loopfuse';
import type { LinesFormat, Recorder, Translator } from '../format.js';
import { contentOf, wordsOf } from '../translating/content.js';
import { isObject, list, num, type Obj, obj, str, timeOf } from '../translating/json.js';
import { createTranscript, type Transcript } from '../translating/transcript.js';
import { glanceAtClaudeCode } from './glance.js';
import { subagentLogsOf } from './subagents.js';

/** Claude Code's session files (`~/.claude/projects/…/*.jsonl`) and what `claude -p --output-format stream-json` prints. */
export const claudeCode: LinesFormat = {
  name: 'claude-code',
  shape: 'lines',
  sniff: ({ lines }) => lines.some(isClaudeLine),
  translate: translateClaudeCode,
  parts: subagentLogsOf,
};

function isClaudeLine(line: Json): boolean {
  const { type, message, sessionId, session_id: id, leafUuid, snapshot, attachment, data } = obj(line);
  const session = str(sessionId) ?? str(id);
  if (type === 'user' || type === 'assistant')
    return isObject(message) && message.parts === undefined && session !== undefined;
  if (type === 'attachment') return isObject(attachment) && session !== undefined;
  if (type === 'progress') return isObject(data) && session !== undefined;
  if (type === 'queue-operation') return session !== undefined;
  return (
    (type === 'summary' && str(leafUuid) !== undefined) || (type === 'file-history-snapshot' && isObject(snapshot))
  );
}

/** The open answer of a lane. It is spread over lines, with lines of results between them. */
interface Counted {
  readonly id: string;
  readonly model: string | undefined;
  reason: string | undefined;
  /** Its usage so far, and the part of it that was already emitted. */
  used: Used;
  sent: Used;
}

type Used = Readonly<Record<'input' | 'output' | 'cached' | 'written' | 'writtenLong', number>>;

const nothing: Used = { input: 0, output: 0, cached: 0, written: 0, writtenLong: 0 };

function translateClaudeCode(recorder: Recorder): Translator<Json> {
  const seen = new Set<string>();
  /** Lanes of the lines of sub-agents without an id: the lane is the line that began the sub-agent. */
  const laneOfLine = new Map<string, string>();
  const counted = new Map<string, Counted>();
  let transcript: Transcript | undefined;
  let compacted = false;

  function transcriptOf(line: Obj): Transcript {
    const sessionId = str(line.sessionId) ?? str(line.session_id);
    const about = { version: str(line.version), project: str(line.cwd) };
    if (transcript === undefined) {
      const agentId = str(line.agentId);
      const own = line.isSidechain === true && agentId !== undefined && sessionId !== `agent-${agentId}`;
      const id = own ? `${sessionId}/${agentId}` : (sessionId ?? recorder.fallbackId);
      const session = recorder.open(id, { agent: 'claude-code', ...about, ...(own ? { parent: sessionId } : {}) });
      const root = str(line.uuid);
      if (root !== undefined) session.root = root;
      transcript = createTranscript(recorder, session);
    } else if (sessionId === recorder.fallbackId && transcript.session.id !== sessionId) {
      // A resumed session begins with lines copied from the earlier one; the file's name is the id of the new session.
      recorder.rename(transcript.session, sessionId);
    }
    return transcript;
  }

  function laneOf(line: Obj): string | undefined {
    const agent = str(line.agentId) ?? str(line.parent_tool_use_id);
    if (agent !== undefined || line.isSidechain !== true) return agent;
    const uuid = str(line.uuid);
    const parent = str(line.parentUuid);
    const lane = (parent !== undefined && laneOfLine.get(parent)) || uuid || 'sidechain';
    if (uuid !== undefined) laneOfLine.set(uuid, lane);
    return lane;
  }

  function assistant(line: Obj, to: Transcript, at: number | undefined, lane: string | undefined): void {
    const message = obj(line.message);
    if (line.isApiErrorMessage === true || message.model === '<synthetic>') {
      to.endTurn('error', at, lane);
      recorder.skip('assistant: written by the agent itself');
      return;
    }
    const model = str(message.model);
    if (model !== undefined && lane === undefined) to.session.model = model;
    const id = str(message.id) ?? str(line.requestId) ?? str(line.uuid) ?? '';
    const last = counted.get(lane ?? '');
    if (last !== undefined && last.id !== id) flush(to, at, lane);
    if (list(line.supersedesUuids).length > 0) to.retry(at, lane);
    to.turn(id, at, lane);
    const { content } = message;
    if (typeof content === 'string') to.text(content, at, lane);
    for (const each of list(content)) {
      const block = obj(each);
      if (block.type === 'text') to.text(str(block.text) ?? '', at, lane);
      else if (block.type === 'thinking') to.reasoning(str(block.thinking) ?? '', at, lane);
      else if (block.type === 'tool_use' || block.type === 'server_tool_use')
        to.call(str(block.id), str(block.name) ?? 'unknown', block.input ?? {}, at, lane);
      else if (typeof block.type === 'string' && block.type.endsWith('_tool_result')) result(block, line, to, at, lane);
      else recorder.skip(`content: ${String(block.type)}`);
    }
    count(id, message, lane);
  }

  function user(line: Obj, to: Transcript, at: number | undefined, lane: string | undefined): void {
    const { content } = obj(line.message);
    for (const each of list(content)) {
      const block = obj(each);
      if (block.type === 'tool_result') {
        flush(to, at, lane);
        result(block, line, to, at, lane);
      }
    }
    const text = wordsOf(content);
    if (text === '') return;
    if (text.startsWith('[Request interrupted by user')) {
      flush(to, at, lane);
      to.interrupt(at, lane);
    } else if (line.isCompactSummary === true) {
      if (!compacted) to.compaction(at, lane);
      compacted = false;
    } else if (line.isMeta === true || isInjected(text, line)) recorder.skip('user: written by the agent itself');
    else {
      flush(to, at, lane);
      to.prompt(text, at, lane);
    }
  }

  function result(block: Obj, line: Obj, to: Transcript, at: number | undefined, lane: string | undefined): void {
    const failed = typeof block.is_error === 'boolean' ? block.is_error : undefined;
    to.result({
      id: str(block.tool_use_id) ?? str(line.sourceToolUseID),
      output: contentOf(block.content),
      failed,
      at,
      lane,
    });
  }

  /** Every line of an answer has the usage so far. */
  function count(id: string, message: Obj, lane: string | undefined): void {
    const usage = obj(message.usage);
    const read = num(usage.cache_read_input_tokens) ?? 0;
    const written = num(usage.cache_creation_input_tokens) ?? 0;
    const used: Used = {
      input: (num(usage.input_tokens) ?? 0) + read + written,
      output: num(usage.output_tokens) ?? 0,
      cached: read,
      written,
      writtenLong: num(obj(usage.cache_creation).ephemeral_1h_input_tokens) ?? 0,
    };
    let now = counted.get(lane ?? '');
    if (now === undefined || now.id !== id) {
      now = { id, model: str(message.model), reason: undefined, used: nothing, sent: nothing };
      counted.set(lane ?? '', now);
    }
    now.reason = str(message.stop_reason) ?? now.reason;
    now.used = most(now.used, used);
  }

  function flush(to: Transcript, at: number | undefined, lane: string | undefined): void {
    const now = counted.get(lane ?? '');
    if (now === undefined) return;
    if (now.used !== now.sent) to.usage({ ...rest(now.used, now.sent), model: now.model }, at, lane);
    now.sent = now.used;
    to.endTurn(now.reason, at, lane);
  }

  function system(line: Obj, to: Transcript, at: number | undefined, lane: string | undefined): void {
    if (line.subtype === 'compact_boundary' || line.subtype === 'microcompact_boundary') {
      to.compaction(at, lane);
      compacted = line.subtype === 'compact_boundary';
    } else if (line.subtype === 'api_error') to.retry(at, lane);
    else if (line.subtype === 'init') {
      const model = str(line.model);
      if (model !== undefined) to.session.model = model;
    } else recorder.skip(`system: ${String(line.subtype)}`);
  }

  return {
    glance: glanceAtClaudeCode,
    record(value) {
      const line = obj(value);
      const { type } = line;
      switch (type) {
        case 'user':
        case 'assistant':
        case 'system':
        case 'attachment':
        case 'tool_use':
        case 'tool_result':
          break;
        case 'custom-title':
        case 'ai-title':
        case 'summary':
          if (transcript)
            transcript.session.title = str(line.customTitle) ?? str(line.aiTitle) ?? str(line.summary) ?? '';
          return;
        default:
          // For example `progress`, which repeats what sub-agents write to their own files.
          recorder.skip(String(type));
          return;
      }
      const uuid = str(line.uuid);
      if (uuid !== undefined) {
        if (seen.has(uuid)) {
          recorder.skip('repeated line');
          return;
        }
        seen.add(uuid);
      }
      const to = transcriptOf(line);
      const at = timeOf(line.timestamp);
      const lane = laneOf(line);
      if (type === 'assistant') assistant(line, to, at, lane);
      else if (type === 'user') user(line, to, at, lane);
      else if (type === 'system') system(line, to, at, lane);
      else if (type === 'attachment') {
        const attachment = obj(line.attachment);
        const { prompt } = attachment;
        if (attachment.type === 'queued_command' && attachment.commandMode === 'prompt' && str(prompt) !== undefined)
          to.prompt(str(prompt)!, at, lane);
        else recorder.skip(`attachment: ${String(attachment.type)}`);
      } else if (type === 'tool_use') to.call(str(line.id), str(line.name) ?? 'unknown', line.input ?? {}, at, lane);
      else
        to.result({
          id: str(line.tool_use_id),
          output: contentOf(line.output ?? line.content),
          at,
          lane,
          tool: str(line.name),
        });
    },
    end() {
      if (transcript === undefined) return;
      for (const lane of counted.keys()) flush(transcript, undefined, lane === '' ? undefined : lane);
      transcript.end();
    },
  };
}

function most(a: Used, b: Used): Used {
  return {
    input: Math.max(a.input, b.input),
    output: Math.max(a.output, b.output),
    cached: Math.max(a.cached, b.cached),
    written: Math.max(a.written, b.written),
    writtenLong: Math.max(a.writtenLong, b.writtenLong),
  };
}

function rest(used: Used, sent: Used): Used {
  return {
    input: used.input - sent.input,
    output: used.output - sent.output,
    cached: used.cached - sent.cached,
    written: used.written - sent.written,
    writtenLong: used.writtenLong - sent.writtenLong,
  };
}

/** Messages with the user's role that the agent wrote. */
function isInjected(text: string, line: Obj): boolean {
  const { kind } = obj(line.origin);
  if (kind === 'task-notification') return true;
  return /^\s*<(local-command-(stdout|stderr|caveat)|bash-(input|stdout|stderr)|task-notification|system-reminder)\b/.test(
    text.slice(0, 200),
  );
}
