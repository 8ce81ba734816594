import type { Json } from 'loopfuse';
import { type Fields, fieldsOf, textOf } from './fields.js';
import { outputOf } from './output.js';
import type { HookCall, HookEvent, Moment } from './protocol.js';

/** The payload of Claude Code, which Codex and Qwen Code send too: one record, whose event is in `hook_event_name`. */
export function readClaudeLike(payload: Json): HookEvent | undefined {
  const fields = fieldsOf(payload);
  const session = textOf(fields.session_id);
  const moment = momentOf(fields);
  if (session === undefined || moment === undefined) return undefined;
  return {
    session,
    lane: textOf(fields.agent_id),
    transcript: textOf(fields.transcript_path),
    mark: markOf(fields),
    moment,
  };
}

function momentOf(fields: Fields): Moment | undefined {
  const call = callOf(fields);
  switch (fields.hook_event_name) {
    case 'UserPromptSubmit':
      return { type: 'prompt', text: textOf(fields.prompt) ?? '' };
    case 'PreToolUse':
      return call && { type: 'call', call };
    case 'PostToolUse':
      return call && { type: 'result', call, output: outputOf(fields.tool_response) };
    case 'PostToolUseFailure':
      return call && { type: 'result', call, output: outputOf(fields.error), failed: true };
    default:
      return undefined;
  }
}

/** Claude Code identifies prompts, Codex turns, and Gemini CLI and Qwen Code every moment. */
export function markOf({ prompt_id, turn_id, timestamp }: Fields): string | undefined {
  const marks = [prompt_id, turn_id, timestamp].filter((mark) => typeof mark === 'string' || typeof mark === 'number');
  return marks.length > 0 ? marks.join(' ') : undefined;
}

export function callOf(fields: Fields): HookCall | undefined {
  const tool = textOf(fields.tool_name);
  return tool === undefined ? undefined : { id: textOf(fields.tool_use_id), tool, input: fields.tool_input ?? {} };
}

export function denied(reason: string): Json {
  return permission('deny', reason);
}

export function permission(decision: 'deny' | 'ask', reason: string): Json {
  return {
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      permissionDecision: decision,
      permissionDecisionReason: reason,
    },
  };
}

/** More context for the model, in the answer to the event of the payload. */
export function context(payload: Json, text: string): Json {
  const { hook_event_name: hookEventName } = fieldsOf(payload);
  return { hookSpecificOutput: { hookEventName: hookEventName ?? 'PostToolUse', additionalContext: text } };
}

/** Whether a call can still be refused. */
export function isBeforeCall(payload: Json): boolean {
  return fieldsOf(payload).hook_event_name === 'PreToolUse';
}
