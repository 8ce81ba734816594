import type { AgentEvent, Json } from '../event.js';
import { messageOf } from '../words/message-of.js';

/** What the ancestors' model streams yield. Unknown types are ignored. */
export interface StreamEvent {
  readonly type: string;
  readonly value?: unknown;
}

/** What a stream event means to the engine: an event of ours, nothing, or the reason why it cannot be read. */
export type Reading = AgentEvent | 'ignored' | { readonly problem: string };

/** Reads an event of a stream. `count` distinguishes calls that have no id. */
export function readStreamEvent(event: unknown, count: number): Reading {
  if (!isRecord(event) || typeof event.type !== 'string') return { problem: 'an event must be an object with a type' };
  const { type, value } = event;
  switch (type) {
    case 'content':
      return typeof value === 'string'
        ? { type: 'text', text: value }
        : { problem: 'the value of content must be text' };
    case 'thought':
      return { type: 'reasoning', text: thoughtOf(value) };
    case 'tool_call_request':
      if (!isRecord(value) || typeof value.name !== 'string')
        return { problem: 'the value of tool_call_request must have a name' };
      return { type: 'tool-call', id: idOf(value, count), tool: value.name, input: value.args as Json };
    case 'tool_call_response':
      return isRecord(value) && typeof value.callId === 'string' ? resultOf(value.callId, value) : 'ignored';
    case 'finished':
      return { type: 'turn-end' };
    case 'retry':
      return { type: 'retry' };
    case 'chat_compressed':
      return { type: 'compaction' };
    default:
      return 'ignored';
  }
}

function thoughtOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (!isRecord(value)) return '';
  return [value.subject, value.description].filter((part) => typeof part === 'string').join('\n');
}

function idOf({ callId }: Record<string, unknown>, count: number): string {
  return typeof callId === 'string' ? callId : `call-${count}`;
}

function resultOf(id: string, { responseParts, error }: Record<string, unknown>): AgentEvent {
  const failed = error !== undefined && error !== null;
  // Failures without parts are distinguished by their message.
  const output = responseParts ?? (failed ? messageOf(error) : null);
  return { type: 'tool-result', id, output: output as Json, failed };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
