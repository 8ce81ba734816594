import { join } from 'node:path';
import { copilotCli as format } from '@loopfuse/formats';
import type { Json } from 'loopfuse';
import { markOf } from './claude-like.js';
import { type Fields, fieldsOf, textOf } from './fields.js';
import { outputOf } from './output.js';
import type { Environment, HookCall, Moment, Protocol } from './protocol.js';

/** Copilot CLI: payloads do not name their event, calls have no ids, and no hook can end a run. */
export const copilot: Protocol = {
  name: 'copilot',
  format,
  asks: true,
  read(payload, event, env) {
    const fields = fieldsOf(payload);
    const session = textOf(fields.sessionId);
    const moment = momentOf(fields, event);
    if (session === undefined || moment === undefined) return undefined;
    return { session, transcript: transcriptOf(session, env), mark: markOf(fields), moment };
  },
  reply(measure, payload) {
    if (isAfterCall(payload)) return { additionalContext: measure.text };
    switch (measure.type) {
      case 'tell':
        return { additionalContext: measure.text };
      case 'ask':
        return { permissionDecision: 'ask', permissionDecisionReason: measure.text };
      case 'refuse':
      case 'end':
        return { permissionDecision: 'deny', permissionDecisionReason: measure.text };
    }
  },
};

function isAfterCall(payload: Json): boolean {
  const { toolResult, error } = fieldsOf(payload);
  return toolResult !== undefined || error !== undefined;
}

function momentOf(fields: Fields, event: string | undefined): Moment | undefined {
  const tool = textOf(fields.toolName);
  const call: HookCall | undefined = tool === undefined ? undefined : { tool, input: fields.toolArgs ?? {} };
  switch (event) {
    case 'userPromptSubmitted':
      return { type: 'prompt', text: textOf(fields.prompt) ?? '' };
    case 'preToolUse':
      return call && { type: 'call', call };
    case 'postToolUse': {
      const failed = fieldsOf(fields.toolResult).resultType === 'failure';
      return call && { type: 'result', call, output: outputOf(fields.toolResult), ...(failed ? { failed } : {}) };
    }
    case 'postToolUseFailure':
      return call && { type: 'result', call, output: outputOf(fields.error), failed: true };
    default:
      return undefined;
  }
}

/** Its hooks do not get the path of the transcript, but it is always this one. */
function transcriptOf(session: string, env: Environment): string | undefined {
  const home = env.COPILOT_HOME || (env.HOME || env.USERPROFILE ? join(env.HOME || env.USERPROFILE!, '.copilot') : '');
  const isPlain = /^[\w-]{1,100}$/.test(session);
  return home !== '' && isPlain ? join(home, 'session-state', session, 'events.jsonl') : undefined;
}
