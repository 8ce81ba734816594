import { codex as format } from '@loopfuse/formats';
import { context, denied, isBeforeCall, readClaudeLike } from './claude-like.js';
import type { Protocol } from './protocol.js';

/**
 * Codex: no hook can end a turn. After a stop, every call is refused. Codex would ignore both `continue: false` and a
 * refusal if they came together; after a call, `continue: false` replaces the result by the reason, which the model
 * reads.
 */
export const codex: Protocol = {
  name: 'codex',
  format,
  asks: false,
  read: readClaudeLike,
  reply(measure, payload) {
    switch (measure.type) {
      case 'tell':
        return context(payload, measure.text);
      case 'refuse':
      case 'ask':
        return denied(measure.text);
      case 'end':
        return isBeforeCall(payload) ? denied(measure.text) : { continue: false, stopReason: measure.text };
    }
  },
};
