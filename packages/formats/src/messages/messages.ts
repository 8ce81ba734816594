import type { Json } from 'loopfuse';
import type { DocumentFormat, LinesFormat, Recorder, Translator } from '../format.js';
import { type Chat, createChat, isMessage } from '../translating/chat.js';
import { isObject, obj, str } from '../translating/json.js';
import { createTranscript, type Transcript } from '../translating/transcript.js';
import { conversationIn, createConversations, listKeys } from './conversations.js';

/**
 * Conversations as model interfaces exchange them, in one JSON document: a list of messages, an object with such a
 * list, or a list of either.
 */
export const messages: DocumentFormat = {
  name: 'messages',
  shape: 'document',
  sniff: ({ document }) =>
    document?.records.some(
      ({ key, value }) => isOfOne(key, value) || (key !== 'response' && conversationIn(value) !== undefined),
    ) === true,
  translate: translateDocument,
};

/** Conversations line by line: each line is a message, or a whole conversation. */
export const messageLines: LinesFormat = {
  name: 'messages',
  shape: 'lines',
  sniff: ({ lines }) => {
    const known = lines.filter((line) => isMessage(line) || conversationIn(line) !== undefined);
    // A log may begin with records about itself.
    return known.length > 0 && known.length * 2 >= lines.length && lines.every(isObjectOrList);
  },
  translate: translateLines,
};

function isObjectOrList(line: Json): boolean {
  return isObject(line) || Array.isArray(line);
}

/** Whether a record of a document is a message of the one conversation that the document holds. */
function isOfOne(key: string, value: Json): boolean {
  return (key === '' || listKeys.has(key)) && isMessage(value);
}

function translateDocument(recorder: Recorder): Translator<Json> {
  const conversations = createConversations(recorder);
  let transcript: Transcript | undefined;
  let chat: Chat | undefined;
  const facts: { id?: string; model?: string } = {};

  function one(): Chat {
    transcript ??= createTranscript(recorder, recorder.open(facts.id ?? recorder.fallbackId, { model: facts.model }));
    chat ??= createChat(recorder, transcript);
    return chat;
  }

  /** Facts about the conversation may come before or after it. */
  function learn({ id, model }: { id?: string | undefined; model?: string | undefined }): void {
    if (id !== undefined) facts.id = id;
    if (model !== undefined) facts.model = model;
    if (transcript === undefined) return;
    if (id !== undefined) recorder.rename(transcript.session, id);
    recorder.open(transcript.session.id, { model: facts.model });
  }

  return {
    record(value, key) {
      if (isOfOne(key, value) || listKeys.has(key)) one().message(value);
      else if (key === 'model') learn({ model: str(value) });
      else if (key === 'meta' || key === 'metadata') learn({ model: str(obj(value).model) });
      else if (/^(id|session_?id|conversation_?id)$/i.test(key)) learn({ id: str(value) });
      else {
        const found = conversationIn(value);
        if (found !== undefined) conversations.add(found);
        else recorder.skip(key);
      }
    },
    end() {
      transcript?.end();
      conversations.end();
    },
  };
}

function translateLines(recorder: Recorder): Translator<Json> {
  const conversations = createConversations(recorder);
  let one: { transcript: Transcript; chat: Chat } | undefined;
  return {
    record(value) {
      const found = conversationIn(value);
      if (found !== undefined) {
        conversations.add(found);
        return;
      }
      if (one === undefined) {
        const transcript = createTranscript(recorder, recorder.open(recorder.fallbackId));
        one = { transcript, chat: createChat(recorder, transcript) };
      }
      one.chat.message(value);
    },
    end() {
      one?.transcript.end();
      conversations.end();
    },
  };
}
