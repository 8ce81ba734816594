import type { Glimpse } from '../format.js';
import { standsAt, stringAt, textOfBytes, typeOn } from '../records/line-bytes.js';

const usedEnvelopes: ReadonlySet<string> = new Set([
  'session_meta',
  'turn_context',
  'response_item',
  'event_msg',
  'compacted',
]);

/** The events with information that is not in the items. */
const usedEvents: ReadonlySet<string> = new Set([
  'user_message',
  'agent_message',
  'agent_reasoning',
  'agent_reasoning_raw_content',
  'token_count',
  'turn_aborted',
  'context_compacted',
  'stream_error',
  'tool_call',
  'mcp_tool_call_end',
  'exec_command_end',
  'patch_apply_end',
]);

/** Events that end a call. They repeat the items, if there were items for the call. */
const endings: ReadonlySet<string> = new Set(['mcp_tool_call_end', 'exec_command_end', 'patch_apply_end']);

const secret = '"encrypted_content":"';

/** Skips what Codex writes for its user interface and for itself. `knows` returns whether a call was seen. */
export function glanceAtCodex(line: Buffer, knows: (call: string) => boolean): Glimpse | undefined {
  const envelope = typeOn(line);
  if (envelope === undefined) return undefined;
  if (
    envelope.type === 'compacted' &&
    standsAt(line, 0, '{"timestamp":"') &&
    standsAt(line, envelope.end, ',"payload":{')
  )
    return { read: `${textOfBytes(line.subarray(0, envelope.end))},"payload":{}}` };
  if (!usedEnvelopes.has(envelope.type) && standsAt(line, envelope.end, ',"payload":{')) return { skip: envelope.type };
  if (envelope.type === 'reasoning') return withoutSecret(line);
  if (envelope.type === 'response_item')
    return standsAt(line, envelope.end, ',"payload":{"type":"reasoning"') ? withoutSecret(line) : undefined;
  if (envelope.type !== 'event_msg' || !standsAt(line, envelope.end, ',"payload":{"type":"')) return undefined;
  const event = stringAt(line, envelope.end + 20);
  if (event === undefined) return undefined;
  if (!usedEvents.has(event.type)) return { skip: `event_msg: ${event.type}` };
  if (!endings.has(event.type) || !standsAt(line, event.end, ',"call_id":"')) return undefined;
  const call = stringAt(line, event.end + 12);
  return call !== undefined && knows(call.type) ? { skip: undefined } : undefined;
}

/** Reasoning that only the provider can read. */
function withoutSecret(line: Buffer): Glimpse | undefined {
  const at = line.indexOf(secret);
  if (at < 0) return undefined;
  const from = at + secret.length;
  const to = line.indexOf(34, from);
  if (to - from < 512) return undefined;
  return { read: textOfBytes(line.subarray(0, from)) + textOfBytes(line.subarray(to)) };
}
