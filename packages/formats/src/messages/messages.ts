import type { Json } from 'loopfuse';
import type { DocumentFormat, LinesFormat, Recorder, Translator } from '../format.js';
import { type Chat, createChat, isMessage } from '../translating/chat.js';
import { isObject, list, obj, str } from '../translating/json.js';
import { createTranscript, type Transcript } from '../translating/transcript.js';

/** Keys under which requests, logs and data sets keep a conversation. */
const keys = ['messages', 'contents', 'history', 'input', 'conversation', 'conversations', 'items'];

/** A conversation as model interfaces exchange it, in one JSON document: a list of messages, or an object that holds one. */
export const messages: DocumentFormat = {
  name: 'messages',
  shape: 'document',
  sniff: ({ document }) =>
    document?.records.some(
      ({ key, value }) => (key === '' ? document.top === 'array' : keys.includes(key)) && isMessage(value),
    ) === true,
  translate: translateDocument,
};

/** Conversations line by line: each line is a message of one, or holds a whole one. */
export const messageLines: LinesFormat = {
  name: 'messages',
  shape: 'lines',
  sniff: ({ lines }) => lines.length > 0 && lines.every((line) => isMessage(line) || listIn(line) !== undefined),
  translate: translateLines,
};

function listIn(line: Json): readonly Json[] | undefined {
  if (Array.isArray(line)) return line.length > 0 && line.every(isMessage) ? line : undefined;
  if (!isObject(line)) return undefined;
  for (const key of keys) {
    const found = list(line[key]);
    if (found.length > 0 && found.some(isMessage)) return found;
  }
  return undefined;
}

function translateDocument(recorder: Recorder): Translator<Json> {
  let transcript: Transcript | undefined;
  let chat: Chat | undefined;
  return {
    record(value, key) {
      if (transcript === undefined) transcript = createTranscript(recorder, recorder.open(recorder.fallbackId));
      chat ??= createChat(recorder, transcript);
      if (key === '' || keys.includes(key)) chat.message(value);
      else if (key === 'model') recorder.open(transcript.session.id, { model: str(value) });
      else if (key === 'meta' || key === 'metadata')
        recorder.open(transcript.session.id, { model: str(obj(value).model) });
      else if (/^(id|session_?id|conversation_?id)$/i.test(key) && str(value) !== undefined)
        recorder.rename(transcript.session, str(value)!);
      else recorder.skip(key);
    },
    end: () => transcript?.end(),
  };
}

function translateLines(recorder: Recorder): Translator<Json> {
  let one: { transcript: Transcript; chat: Chat } | undefined;
  let whole = 0;

  function conversation(value: Json, found: readonly Json[]): void {
    const line = obj(value);
    const id = str(line.id) ?? str(line.session_id) ?? str(line.conversation_id) ?? str(line.instance_id);
    const session = recorder.open(id ?? `${recorder.fallbackId}#${++whole}`, { model: str(line.model) });
    const transcript = createTranscript(recorder, session);
    const chat = createChat(recorder, transcript);
    for (const message of found) chat.message(message);
    transcript.end();
    recorder.close(session);
  }

  return {
    record(value) {
      const found = isMessage(value) ? undefined : listIn(value);
      if (found !== undefined) {
        conversation(value, found);
        return;
      }
      if (one === undefined) {
        const transcript = createTranscript(recorder, recorder.open(recorder.fallbackId));
        one = { transcript, chat: createChat(recorder, transcript) };
      }
      one.chat.message(value);
    },
    end: () => one?.transcript.end(),
  };
}
