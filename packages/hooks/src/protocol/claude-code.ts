import { claudeCode as format } from '@loopfuse/formats';
import { context, denied, isBeforeCall, permission, readClaudeLike } from './claude-like.js';
import type { Protocol } from './protocol.js';

/** Claude Code supports every measure. A stop before a call also refuses the call, or it would still run. */
export const claudeCode: Protocol = {
  name: 'claude-code',
  format,
  asks: true,
  read: readClaudeLike,
  reply(measure, payload) {
    switch (measure.type) {
      case 'tell':
        return context(payload, measure.text);
      case 'refuse':
        return denied(measure.text);
      case 'ask':
        return permission('ask', measure.text);
      case 'end': {
        const stop = { continue: false, stopReason: measure.text };
        return isBeforeCall(payload) ? { ...stop, ...(denied(measure.text) as object) } : stop;
      }
    }
  },
};
