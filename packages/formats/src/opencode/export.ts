import type { Json } from 'loopfuse';
import type { DocumentFormat, Recorder, Translator } from '../format.js';
import { list, obj, str } from '../translating/json.js';
import { createSessions } from './session.js';

/** What `opencode export` prints: one session with its messages and their parts. */
export const opencodeExport: DocumentFormat = {
  name: 'opencode',
  shape: 'document',
  sniff: ({ document }) => {
    if (!document?.keys.has('messages')) return false;
    return document.records.some(({ key, value }) =>
      key === 'info' ? str(obj(value).id)?.startsWith('ses') === true : key === 'messages' && isMessage(value),
    );
  },
  translate: translateExport,
};

function isMessage(value: Json): boolean {
  const { info, parts } = obj(value);
  return Array.isArray(parts) && str(obj(info).role) !== undefined;
}

function translateExport(recorder: Recorder): Translator<Json> {
  const sessions = createSessions(recorder);
  let id = recorder.fallbackId;
  let unnamed = 0;
  return {
    record(value, key) {
      if (key === 'info') {
        id = str(obj(value).id) ?? id;
        sessions.session(id, obj(value));
      } else if (key === 'messages') {
        const { info, parts } = obj(value);
        const messageId = str(obj(info).id) ?? `message-${++unnamed}`;
        sessions.message(obj(info), { sessionId: id, id: messageId });
        for (const part of list(parts)) sessions.part(obj(part), { messageId });
      } else recorder.skip(key);
    },
    end: () => sessions.end(),
  };
}
