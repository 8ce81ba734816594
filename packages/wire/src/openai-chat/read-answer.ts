import type { AgentEvent, Json } from 'loopfuse';
import { callEvent, createClosing, errorMessage } from '../answer-events.js';
import { asText, fieldsOf, isObject, listOf, stringOf } from '../foreign.js';
import type { AnswerReader, ReadAnswerOptions } from '../wire.js';

interface OpenCall {
  readonly place: number;
  id: string;
  tool: string;
  source: string;
  readonly kind: CallKind;
}

/** A legacy call is the single `function_call` of a message, without an id. */
type CallKind = 'function' | 'custom' | 'legacy';

/**
 * Calls come in pieces that name their place. Only the next call, or the reason for the end, shows that a call is
 * complete. If a request wants several choices, only the first is watched: they are not a sequence.
 */
export function readAnswer({ nameCall }: ReadAnswerOptions = {}): AnswerReader {
  const closing = createClosing();
  const calls: OpenCall[] = [];
  let open: OpenCall | undefined;
  let text = '';
  let unnamed = 0;

  function close(): readonly AgentEvent[] {
    if (open === undefined) return [];
    const { id, tool, source, kind } = open;
    open = undefined;
    return [kind === 'custom' ? { type: 'tool-call', id, tool, input: source } : callEvent(id, tool, source)];
  }

  function piece(call: Readonly<Record<string, unknown>>, nth: number): readonly AgentEvent[] {
    const place = typeof call.index === 'number' ? call.index : nth;
    const { name, arguments: source, input } = fieldsOf(call.function ?? call.custom ?? call.legacy);
    const id = stringOf(call.id);
    const other = open === undefined || open.place !== place || (id !== '' && open.id !== '' && id !== open.id);
    const before = other ? close() : [];
    if (other) {
      const named = id || (nameCall?.() ?? `call-${unnamed++}`);
      const kind = call.custom !== undefined ? 'custom' : call.legacy !== undefined ? 'legacy' : 'function';
      open = { place, id: named, tool: '', source: '', kind };
      calls.push(open);
    }
    open!.tool ||= stringOf(name);
    const more = source ?? input;
    if (more !== undefined && more !== null) open!.source += asText(more);
    return before;
  }

  return {
    read(value) {
      const { choices, usage } = fieldsOf(value);
      const failure = errorMessage(value); // `"error": null` is not an error
      if (failure !== undefined) closing.fail(failure);
      const { prompt_tokens, completion_tokens, prompt_tokens_details } = fieldsOf(usage);
      const { cached_tokens } = fieldsOf(prompt_tokens_details);
      closing.count({ input: prompt_tokens, output: completion_tokens, cached: cached_tokens });
      const events: AgentEvent[] = [];
      for (const choice of listOf(choices).map(fieldsOf)) {
        if ((choice.index ?? 0) !== 0) continue;
        const said = fieldsOf(choice.delta ?? choice.message);
        const { content, refusal, reasoning_content, reasoning, tool_calls, function_call } = said;
        const thought = stringOf(reasoning_content) || stringOf(reasoning);
        const delta = stringOf(content) || stringOf(refusal);
        if (thought !== '') events.push({ type: 'reasoning', text: thought });
        if (delta !== '') events.push({ type: 'text', text: delta });
        text += delta;
        const listed = listOf(tool_calls);
        for (const [nth, call] of listed.entries()) if (isObject(call)) events.push(...piece(call, nth));
        if (listed.length === 0 && isObject(function_call)) events.push(...piece({ legacy: function_call }, 0));
        if (typeof choice.finish_reason !== 'string') continue;
        events.push(...close());
        closing.finish(choice.finish_reason);
      }
      return events;
    },
    end: () => (closing.complete ? [...close(), ...closing.events()] : closing.events()),
    get open() {
      return open !== undefined;
    },
    get complete() {
      return closing.complete;
    },
    get error() {
      return closing.error;
    },
    said() {
      if (text === '' && calls.length === 0) return [];
      const content = text === '' ? null : text;
      const legacy = calls.find(({ kind }) => kind === 'legacy');
      if (legacy !== undefined)
        return [{ role: 'assistant', content, function_call: { name: legacy.tool, arguments: legacy.source } }];
      const tool_calls: Json[] = calls.map(({ id, tool, source, kind }) =>
        kind === 'custom'
          ? { id, type: 'custom', custom: { name: tool, input: source } }
          : { id, type: 'function', function: { name: tool, arguments: source } },
      );
      return [{ role: 'assistant', content, ...(tool_calls.length === 0 ? {} : { tool_calls }) }];
    },
  };
}
