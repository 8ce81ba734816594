import type { Json } from 'loopfuse';
import type { LinesFormat, Recorder, Translator } from '../format.js';
import { contentOf, wordsOf } from '../translating/content.js';
import { createEchoes } from '../translating/echoes.js';
import { isWrapped } from '../translating/injected.js';
import { isObject, list, num, type Obj, obj, parsed, str, timeOf } from '../translating/json.js';
import { createTranscript, type Result, type Transcript } from '../translating/transcript.js';
import { glanceAtCodex } from './glance.js';
import { outcomeOf } from './outcome.js';

/**
 * Codex CLI's rollouts (`$CODEX_HOME/sessions/…/rollout-*.jsonl`), current ones and older ones without the envelope.
 */
export const codex: LinesFormat = {
  name: 'codex',
  shape: 'lines',
  sniff: ({ lines }) => lines.some(isRollout),
  translate: translateCodex,
};

const envelopes = new Set(['session_meta', 'turn_context', 'response_item', 'event_msg', 'compacted', 'world_state']);

function isRollout(line: Json): boolean {
  const { type, payload, record_type: record, id, timestamp, instructions } = obj(line);
  if (typeof type === 'string') return envelopes.has(type) && isObject(payload);
  return record === 'state' || (str(id) !== undefined && str(timestamp) !== undefined && instructions !== undefined);
}

function translateCodex(recorder: Recorder): Translator<Json> {
  const seen = new Set<string>();
  const echo = { prompt: createEchoes(), text: createEchoes(), reasoning: createEchoes() };
  let transcript: Transcript | undefined;
  let answers = 0;
  let total = -1;
  let compacted = false;

  function open(id?: string): Transcript {
    transcript ??= createTranscript(recorder, recorder.open(id ?? recorder.fallbackId, { agent: 'codex' }));
    return transcript;
  }

  function meta(payload: Obj): void {
    const { session } = open(str(payload.id));
    if (session.project !== undefined) return; // a fork also has the header of the session that it was forked from
    const parent = obj(obj(obj(payload.source).subagent).thread_spawn).parent_thread_id ?? payload.forked_from_id;
    recorder.open(session.id, {
      version: str(payload.cli_version),
      project: str(payload.cwd),
      parent: str(parent),
      startedAt: timeOf(payload.timestamp),
    });
  }

  /** The model's answer begins or continues; it begins after the last result or prompt. */
  function answer(to: Transcript, at: number | undefined): void {
    compacted = false;
    to.turn(`answer-${answers}`, at);
  }

  function result(
    id: string | undefined,
    output: Json | undefined,
    to: Transcript,
    at: number | undefined,
    tool?: string,
  ): void {
    const { text, failed } = outcomeOf(output);
    to.result({ id, output: text, failed, at, tool });
    answers++;
  }

  /** An item of what was sent to the model or answered by it. */
  function item(payload: Obj, to: Transcript, at: number | undefined): void {
    const id = str(payload.call_id);
    switch (payload.type) {
      case 'message':
        message(payload, to, at);
        return;
      case 'reasoning':
        for (const part of [...list(payload.summary), ...list(payload.content)]) {
          const text = str(obj(part).text);
          if (text === undefined || echo.reasoning(1, text)) continue;
          answer(to, at);
          to.reasoning(text, at);
        }
        return;
      case 'function_call':
      case 'tool_call':
        answer(to, at);
        to.call(id, nameOf(payload), parsed(payload.arguments ?? payload.input), at);
        return;
      case 'custom_tool_call':
        answer(to, at);
        to.call(id, nameOf(payload), parsed(payload.input), at);
        return;
      case 'tool_search_call':
      case 'web_search_call':
      case 'local_shell_call':
        answer(to, at);
        to.call(
          id ?? str(payload.id),
          String(payload.type).slice(0, -5),
          payload.action ?? payload.arguments ?? {},
          at,
        );
        return;
      case 'function_call_output':
      case 'custom_tool_call_output':
        result(id, payload.output, to, at);
        return;
      case 'tool_search_output':
        result(id, payload.tools, to, at);
        return;
      case 'tool_result':
      case 'function_result':
        result(id, payload.result ?? payload.output, to, at, str(payload.name));
        return;
      default:
        recorder.skip(`response_item: ${String(payload.type)}`);
    }
  }

  function message(payload: Obj, to: Transcript, at: number | undefined): void {
    const text = str(payload.message) ?? wordsOf(payload.content);
    if (text === '') return;
    if (payload.role === 'assistant') {
      if (echo.text(1, text)) return;
      answer(to, at);
      to.text(text, at);
    } else if (payload.role === 'user' && !isInjected(text)) {
      if (!echo.prompt(1, text)) prompt(text, to, at);
    } else recorder.skip(`message: ${String(payload.role)}, written by the agent itself`);
  }

  function prompt(text: string, to: Transcript, at: number | undefined): void {
    answers++;
    to.prompt(text, at);
  }

  /** An event for the user interface: many repeat items, and some information is only here. */
  function happening(payload: Obj, to: Transcript, at: number | undefined): void {
    const id = str(payload.call_id) ?? str(payload.callId);
    switch (payload.type) {
      case 'user_message': {
        const text = str(payload.message);
        if (text !== undefined && !isInjected(text) && !echo.prompt(-1, text)) prompt(text, to, at);
        return;
      }
      case 'agent_message': {
        const text = str(payload.message);
        if (text === undefined || echo.text(-1, text)) return;
        answer(to, at);
        to.text(text, at);
        return;
      }
      case 'agent_reasoning':
      case 'agent_reasoning_raw_content': {
        const text = str(payload.text);
        if (text === undefined || echo.reasoning(-1, text)) return;
        answer(to, at);
        to.reasoning(text, at);
        return;
      }
      case 'token_count':
        usage(payload, to, at);
        return;
      case 'turn_aborted':
        to.interrupt(at);
        answers++;
        return;
      case 'context_compacted':
        compaction(to, at);
        return;
      case 'stream_error':
        to.retry(at);
        return;
      case 'tool_call':
        if (id !== undefined && to.knows(id)) return;
        answer(to, at);
        to.call(id, nameOf(payload), parsed(payload.input ?? payload.arguments), at);
        return;
      case 'mcp_tool_call_end': {
        const { server, tool, arguments: input } = obj(payload.invocation);
        const { Ok: ok, Err: error } = obj(payload.result);
        const failed = error !== undefined || obj(ok).isError === true;
        const output = contentOf(obj(ok).content ?? error);
        alone({ id, tool: `${String(server)}__${String(tool)}`, output, failed, at }, input ?? {}, to);
        return;
      }
      case 'exec_command_end': {
        const code = num(payload.exit_code);
        const output = str(payload.aggregated_output) ?? `${str(payload.stdout) ?? ''}${str(payload.stderr) ?? ''}`;
        const failed = code === undefined ? undefined : code !== 0;
        alone({ id, tool: 'exec_command', output, failed, at }, { command: payload.command ?? '' }, to);
        return;
      }
      case 'patch_apply_end': {
        const output = `${str(payload.stdout) ?? ''}${str(payload.stderr) ?? ''}`;
        const failed = payload.success === false;
        alone({ id, tool: 'apply_patch', output, failed, at }, payload.changes ?? {}, to);
        return;
      }
      default:
        recorder.skip(`event_msg: ${String(payload.type)}`);
    }
  }

  /** A call that is usually among the items; it is read from the event only if it is not. */
  function alone(result: Result & { readonly tool: string }, input: Json, to: Transcript): void {
    const { id, tool, at } = result;
    if (id === undefined || to.knows(id)) return;
    answer(to, at);
    to.call(id, tool, input, at);
    to.result(result);
    answers++;
  }

  function usage(payload: Obj, to: Transcript, at: number | undefined): void {
    const info = obj(payload.info);
    const sum = num(obj(info.total_token_usage).total_tokens);
    if (sum !== undefined && sum === total) return;
    if (sum !== undefined) total = sum;
    const last = isObject(info.last_token_usage) ? obj(info.last_token_usage) : payload;
    to.usage(
      { input: num(last.input_tokens), output: num(last.output_tokens), cached: num(last.cached_input_tokens) },
      at,
    );
  }

  function compaction(to: Transcript, at: number | undefined): void {
    if (!compacted) to.compaction(at);
    compacted = true;
  }

  return {
    glance: (line) => glanceAtCodex(line, (call) => transcript?.knows(call) === true),
    record(value) {
      const line = obj(value);
      const at = timeOf(line.timestamp ?? line.created_at);
      const { type } = line;
      if (typeof type === 'string' && isObject(line.payload)) {
        const payload = obj(line.payload);
        const ordinal = num(line.ordinal);
        if (ordinal !== undefined) {
          const key = `${ordinal} ${String(line.timestamp)} ${type} ${String(payload.type)}`;
          if (seen.has(key)) {
            recorder.skip('repeated line');
            return;
          }
          seen.add(key);
        }
        if (type === 'session_meta') meta(payload);
        else if (type === 'response_item') item(payload, open(), at);
        else if (type === 'event_msg') happening(payload, open(), at);
        else if (type === 'compacted') compaction(open(), at);
        else if (type === 'turn_context') {
          const { session } = open();
          recorder.open(session.id, { model: str(payload.model), project: session.project ?? str(payload.cwd) });
        } else recorder.skip(type);
      } else if (typeof type === 'string') item(line, open(), at);
      else if (line.role !== undefined) message(line, open(), at);
      else if (line.instructions !== undefined) meta(line);
      else recorder.skip(str(line.record_type) ?? 'unknown');
    },
    end: () => transcript?.end(),
  };
}

function nameOf(payload: Obj): string {
  const name = str(payload.name) ?? str(obj(payload.function).name) ?? 'unknown';
  const namespace = str(payload.namespace);
  if (namespace === undefined) return name;
  // Namespaces of servers end in a separator of their own: `mcp__tracker__`.
  return /[_.:/-]$/.test(namespace) ? `${namespace}${name}` : `${namespace}__${name}`;
}

/** Instructions, context, and the summary after a compaction, which have the user's role. */
function isInjected(text: string): boolean {
  return openings.some((opening) => text.startsWith(opening)) || isWrapped(text);
}

const openings = ['# AGENTS.md instructions', 'Another language model started to solve this problem'];
