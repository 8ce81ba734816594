import { basename, dirname } from 'node:path';
import type { Json } from 'loopfuse';
import type { LinesFormat, Recorder, Translator } from '../format.js';
import { createChat } from '../translating/chat.js';
import { contentOf, wordsOf } from '../translating/content.js';
import { isObject, num, type Obj, obj, parsed, str, timeOf } from '../translating/json.js';
import { createTranscript, type Transcript } from '../translating/transcript.js';

/** Kimi's wire logs: `wire.jsonl` of Kimi Code (`agents/<name>/`), and of the Kimi CLI before it. */
export const kimi: LinesFormat = {
  name: 'kimi',
  shape: 'lines',
  sniff: ({ lines }) => lines.some(isWireLine),
  translate: translateWire,
};

/**
 * The Kimi CLI's `context.jsonl`. If there is a `wire.jsonl` in the same folder, that has more, and this is skipped.
 */
export const kimiContext: LinesFormat = {
  name: 'kimi',
  shape: 'lines',
  sniff: ({ lines }) => lines.some((line) => /^_(checkpoint|usage|system_prompt)$/.test(str(obj(line).role) ?? '')),
  translate: translateContext,
};

function isWireLine(line: Json): boolean {
  const { type, protocol_version: version, event, message, timestamp, input } = obj(line);
  if (type === 'metadata') return str(version) !== undefined;
  if (type === 'context.append_loop_event') return isObject(event);
  if (type === 'turn.prompt') return Array.isArray(input);
  return (
    num(timestamp) !== undefined && isObject(message) && str(message.type) !== undefined && isObject(message.payload)
  );
}

function translateWire(recorder: Recorder): Translator<Json> {
  const folder = dirname(recorder.file);
  const inAgents = basename(dirname(folder)) === 'agents';
  const agent = inAgents ? basename(folder) : undefined;
  const ofSession = inAgents ? basename(dirname(dirname(folder))).replace(/^session_/, '') : recorder.fallbackId;
  /** A call whose arguments are still incomplete. */
  let growing:
    | { id: string | undefined; tool: string; input: string; at: number | undefined; lane: string | undefined }
    | undefined;
  let transcript: Transcript | undefined;
  let steps = 0;

  function open(): Transcript {
    if (transcript) return transcript;
    const own = agent !== undefined && agent !== 'main';
    const session = recorder.open(own ? `${ofSession}/${agent}` : ofSession, {
      agent: 'kimi',
      parent: own ? ofSession : undefined,
    });
    transcript = createTranscript(recorder, session);
    return transcript;
  }

  function usage(tokens: Obj, to: Transcript, at: number | undefined, lane: string | undefined): void {
    const cached = num(tokens.inputCacheRead) ?? num(tokens.input_cache_read);
    const other = num(tokens.inputOther) ?? num(tokens.input_other) ?? 0;
    const written = num(tokens.inputCacheCreation) ?? num(tokens.input_cache_creation);
    const input = other + (cached ?? 0) + (written ?? 0);
    to.usage({ input, output: num(tokens.output), cached, written }, at, lane);
  }

  function part(block: Obj, to: Transcript, at: number | undefined, lane: string | undefined): void {
    if (block.type === 'think') to.reasoning(str(block.think) ?? '', at, lane);
    else to.text(str(block.text) ?? '', at, lane);
  }

  function loopEvent(event: Obj, to: Transcript, at: number | undefined, lane: string | undefined): void {
    switch (event.type) {
      case 'step.begin':
        to.turn(str(event.uuid) ?? `step-${++steps}`, at, lane);
        return;
      case 'content.part':
        part(obj(event.part), to, at, lane);
        return;
      case 'tool.call':
        to.call(str(event.toolCallId), str(event.name) ?? 'unknown', event.args ?? {}, at, lane);
        return;
      case 'tool.result': {
        const { output, isError, is_error: error } = obj(event.result);
        const failed = isError ?? error;
        to.result({
          id: str(event.toolCallId),
          output: withoutReminder(contentOf(output ?? event.result)),
          failed: typeof failed === 'boolean' ? failed : undefined,
          at,
          lane,
        });
        return;
      }
      case 'step.end':
        usage(obj(event.usage), to, at, lane);
        to.endTurn(str(event.finishReason), at, lane);
        return;
      default:
        recorder.skip(`loop event: ${String(event.type)}`);
    }
  }

  function line(record: Obj): void {
    const to = open();
    const at = timeOf(record.time);
    const lane = record.agentId === undefined || record.agentId === 'main' ? undefined : String(record.agentId);
    switch (record.type) {
      case 'context.append_loop_event':
        loopEvent(obj(record.event), to, at, lane);
        return;
      case 'turn.prompt':
      case 'turn.steer':
        to.prompt(wordsOf(record.input), at, lane);
        return;
      case 'turn.cancel':
        to.interrupt(at, lane);
        return;
      case 'context.apply_compaction':
        to.compaction(at, lane);
        return;
      case 'config.update':
      case 'profile.bind':
        recorder.open(to.session.id, {
          model: str(record.modelAlias),
          project: str(record.cwd) ?? str(obj(record.environmentDisclosure).cwd),
        });
        return;
      default:
        recorder.skip(String(record.type));
    }
  }

  /** A message of the Kimi CLI's wire log. A sub-agent's message is wrapped in one of its caller. */
  function wire(message: Obj, to: Transcript, at: number | undefined, lane: string | undefined): void {
    const payload = obj(message.payload);
    if (message.type === 'ToolCallPart' && growing) {
      growing.input += str(payload.arguments_part) ?? '';
      return;
    }
    settle(to);
    switch (message.type) {
      case 'TurnBegin':
      case 'SteerInput':
        to.prompt(wordsOf(payload.user_input), at, lane);
        return;
      case 'StepBegin':
        to.turn(`step-${++steps}`, at, lane);
        return;
      case 'ContentPart':
        part(payload, to, at, lane);
        return;
      case 'ToolCall': {
        const { name, arguments: input } = obj(payload.function);
        growing = { id: str(payload.id), tool: str(name) ?? 'unknown', input: str(input) ?? '', at, lane };
        return;
      }
      case 'ToolResult': {
        const { is_error: failed, output, message: note } = obj(payload.return_value ?? payload.result);
        const text = contentOf(output);
        to.result({
          id: str(payload.tool_call_id),
          output: text === '' ? (note ?? '') : withoutReminder(text),
          failed: typeof failed === 'boolean' ? failed : undefined,
          at,
          lane,
        });
        return;
      }
      case 'StatusUpdate':
        usage(obj(payload.token_usage), to, at, lane);
        return;
      case 'CompactionBegin':
        to.compaction(at, lane);
        return;
      case 'StepInterrupted':
        to.interrupt(at, lane);
        return;
      case 'SubagentEvent':
        if (lane !== undefined && str(payload.agent_id) === undefined) recorder.skip('SubagentEvent of a sub-agent');
        else
          wire(
            obj(payload.event),
            to,
            at,
            str(payload.agent_id) ?? str(payload.parent_tool_call_id) ?? str(payload.task_tool_call_id) ?? 'subagent',
          );
        return;
      default:
        recorder.skip(String(message.type));
    }
  }

  function settle(to: Transcript): void {
    if (!growing) return;
    const { id, tool, input, at, lane } = growing;
    growing = undefined;
    to.call(id, tool, parsed(input), at, lane);
  }

  return {
    record(value) {
      const record = obj(value);
      if (record.type === 'metadata') open();
      else if (isObject(record.message) && record.type === undefined)
        wire(obj(record.message), open(), timeOf(record.timestamp), undefined);
      else line(record);
    },
    end() {
      if (!transcript) return;
      // A call with incomplete arguments was never made.
      if (growing && typeof parsed(growing.input) !== 'string') settle(transcript);
      transcript.end();
    },
  };
}

/** Removes what the agent adds to a tool's output, for example that the call was made before. */
function withoutReminder(output: Json): Json {
  if (typeof output !== 'string' || !output.trimEnd().endsWith('</system-reminder>')) return output;
  const at = output.lastIndexOf('<system-reminder>');
  return at < 0 ? output : output.slice(0, at).trimEnd();
}

function translateContext(recorder: Recorder): Translator<Json> {
  if (recorder.beside('wire.jsonl')) return { record: () => recorder.skip('also in wire.jsonl'), end() {} };
  const transcript = createTranscript(recorder, recorder.open(recorder.fallbackId, { agent: 'kimi' }));
  const chat = createChat(recorder, transcript);
  return {
    record(value) {
      const role = str(obj(value).role) ?? '';
      if (role.startsWith('_')) recorder.skip(role);
      else chat.message(value);
    },
    end: () => transcript.end(),
  };
}
