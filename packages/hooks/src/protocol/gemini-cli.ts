import { geminiCli as format } from '@loopfuse/formats';
import type { Json } from 'loopfuse';
import { callOf, context, markOf } from './claude-like.js';
import { type Fields, fieldsOf, textOf } from './fields.js';
import { outputOf } from './output.js';
import type { Moment, Protocol } from './protocol.js';

/** Gemini CLI: calls have no ids, hooks cannot ask the user, and a stop ends the run. */
export const geminiCli: Protocol = {
  name: 'gemini-cli',
  format,
  asks: false,
  read(payload) {
    const fields = fieldsOf(payload);
    const session = textOf(fields.session_id);
    const moment = momentOf(fields);
    if (session === undefined || moment === undefined) return undefined;
    return { session, transcript: textOf(fields.transcript_path), mark: markOf(fields), moment };
  },
  reply(measure, payload) {
    switch (measure.type) {
      case 'tell':
        return context(payload, measure.text);
      case 'refuse':
        return { decision: 'deny', reason: measure.text };
      case 'ask':
      case 'end':
        return { continue: false, stopReason: measure.text, ...refusal(payload, measure.text) };
    }
  },
};

function momentOf(fields: Fields): Moment | undefined {
  const call = callOf(fields);
  switch (fields.hook_event_name) {
    case 'BeforeAgent':
      return { type: 'prompt', text: textOf(fields.prompt) ?? '' };
    case 'BeforeTool':
      return call && { type: 'call', call };
    case 'AfterTool': {
      const { error } = fieldsOf(fields.tool_response);
      const failed = error !== undefined && error !== null;
      const message = fieldsOf(error).message;
      const output = typeof message === 'string' ? message : outputOf(fields.tool_response);
      return call && { type: 'result', call, output, ...(failed ? { failed } : {}) };
    }
    default:
      return undefined;
  }
}

function refusal(payload: Json, reason: string): { readonly [key: string]: Json } {
  return fieldsOf(payload).hook_event_name === 'BeforeTool' ? { decision: 'deny', reason } : {};
}
