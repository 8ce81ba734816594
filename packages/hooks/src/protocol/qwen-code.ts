import { qwenCode as format } from '@loopfuse/formats';
import { context, denied, permission, readClaudeLike } from './claude-like.js';
import { fieldsOf, textOf } from './fields.js';
import type { Protocol } from './protocol.js';

/**
 * Qwen Code: a hook at a call cannot end the run. `UserPromptSubmit` can; Qwen Code also sends it, without a prompt,
 * before results go back to the model.
 */
export const qwenCode: Protocol = {
  name: 'qwen-code',
  format,
  asks: true,
  read(payload) {
    const event = readClaudeLike(payload);
    const { submitted_prompt: submitted } = fieldsOf(payload);
    const isResume = event?.moment.type === 'prompt' && event.moment.text === '' && textOf(submitted) === undefined;
    return isResume ? { ...event, moment: { type: 'resume' } } : event;
  },
  reply(measure, payload) {
    switch (measure.type) {
      case 'tell':
        return context(payload, measure.text);
      case 'refuse':
        return denied(measure.text);
      case 'ask':
        return permission('ask', measure.text);
      case 'end':
        switch (fieldsOf(payload).hook_event_name) {
          case 'PreToolUse':
            return denied(measure.text);
          case 'UserPromptSubmit':
            return { decision: 'block', reason: measure.text, systemMessage: measure.text };
          default:
            return context(payload, measure.text);
        }
    }
  },
};
