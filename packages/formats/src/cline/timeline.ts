import type { Json } from 'loopfuse';
import type { Recorder } from '../format.js';
import { num, type Obj, obj, parsed, str, timeOf } from '../translating/json.js';
import type { Transcript } from '../translating/transcript.js';

export function isTimelineEntry(value: Json): boolean {
  const { type, say, ask, ts } = obj(value);
  return (type === 'say' || type === 'ask') && (str(say) ?? str(ask)) !== undefined && num(ts) !== undefined;
}

/** Writes what a task's panel showed (`ui_messages.json`), for tasks without the conversation itself. */
export function createTimeline(recorder: Recorder, to: Transcript): (entry: Json) => void {
  let answers = 0;

  /** The panel's record of a call: `{"tool":"readFile","path":…}`. The result, if any, follows or is in it. */
  function tool(text: string, at: number | undefined): void {
    const details = obj(parsed(text));
    const { content, ...input } = details;
    to.call(undefined, str(details.tool) ?? 'tool', input as unknown as Json, at);
    if (content !== undefined) to.result({ output: content, at });
  }

  function said(kind: string, text: string, entry: Obj, at: number | undefined): void {
    switch (kind) {
      case 'task':
      case 'user_feedback':
        to.prompt(text, at);
        return;
      case 'api_req_started': {
        const details = obj(parsed(text));
        to.turn(`answer-${++answers}`, at);
        const cached = num(details.cacheReads);
        const written = num(details.cacheWrites);
        const input = (num(details.tokensIn) ?? 0) + (cached ?? 0) + (written ?? 0);
        to.usage({ input, output: num(details.tokensOut), cached, written, cost: num(details.cost) }, at);
        return;
      }
      case 'api_req_retried':
      case 'api_req_retry_delayed':
        to.retry(at);
        return;
      case 'text':
      case 'completion_result':
        to.text(text, at);
        return;
      case 'reasoning':
        to.reasoning(text, at);
        return;
      case 'tool':
        tool(text, at);
        return;
      case 'command':
        to.call(undefined, 'execute_command', { command: text }, at);
        return;
      case 'use_mcp_server':
        to.call(undefined, 'use_mcp_tool', parsed(text), at);
        return;
      case 'browser_action':
      case 'browser_action_launch':
        to.call(undefined, 'browser_action', parsed(text), at);
        return;
      case 'command_output':
      case 'mcp_server_response':
      case 'browser_action_result':
        to.result({ output: text, at });
        return;
      case 'error':
      case 'diff_error':
        to.result({ output: text, failed: true, at });
        return;
      case 'condense_context':
        to.compaction(at);
        return;
      default:
        recorder.skip(`${String(entry.type)}: ${kind}`);
    }
  }

  return (value) => {
    const entry = obj(value);
    if (entry.partial === true) recorder.skip('partial');
    else said(str(entry.say) ?? str(entry.ask) ?? '', str(entry.text) ?? '', entry, timeOf(entry.ts));
  };
}
