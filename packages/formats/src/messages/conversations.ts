import { createHash } from 'node:crypto';
import type { Json } from 'loopfuse';
import type { RecordedSession, Recorder } from '../format.js';
import { type Chat, createChat, isMessage } from '../translating/chat.js';
import { contentOf } from '../translating/content.js';
import { isObject, list, type Obj, obj, parsed, str } from '../translating/json.js';
import { plainMessages } from '../translating/plain-messages.js';
import { createTranscript, type Transcript } from '../translating/transcript.js';

/** Keys of the list of messages in requests, logs and data sets. */
export const listKeys: ReadonlySet<string> = new Set([
  ...['messages', 'contents', 'history', 'input', 'conversation', 'conversations', 'items'],
  ...['trajectory', 'traj', 'events', 'chat_history', 'new_messages', 'all_messages'],
]);

/** Keys of the object with the conversation in a record. */
const wrappings = ['request', 'body', 'data', 'values', 'state', 'payload', 'session', 'kwargs'];

/** A whole conversation, and its last answer if the record has a request and its answer. */
export interface WholeConversation extends Facts {
  readonly messages: readonly Json[];
  readonly answer: readonly Json[];
}

interface Facts {
  /** The id of the record, which may be that of the request and not of the conversation. */
  readonly id: string | undefined;
  /** The id of the conversation. */
  readonly thread: string | undefined;
  readonly model: string | undefined;
  /** The time of the record. */
  readonly at: Json | undefined;
}

/** The conversation in a value; undefined if there is none. */
export function conversationIn(value: Json): WholeConversation | undefined {
  if (Array.isArray(value))
    return value.length > 0 && value.every(isMessage) ? { ...factsOf({}), messages: value, answer: [] } : undefined;
  if (!isObject(value) || isMessage(value)) return undefined;
  const direct = listOf(value);
  if (direct !== undefined) return { ...factsOf(value), messages: direct, answer: answerIn(value) };
  for (const key of wrappings) {
    const inner = obj(value[key]);
    const found = listOf(inner);
    if (found === undefined) continue;
    const outer = factsOf(value);
    const { id = outer.id, thread = outer.thread, model = outer.model, at = outer.at } = factsOf(inner);
    return { id, thread, model, at, messages: found, answer: answerIn(value) };
  }
  return undefined;
}

function listOf(value: Obj): readonly Json[] | undefined {
  for (const key of listKeys) {
    const found = list(value[key]);
    if (found.length > 0 && found.some(isMessage)) return found;
  }
  return undefined;
}

function factsOf(value: Obj): Facts {
  const { id, session_id: session, sessionId, conversation_id: conversation, thread_id: thread } = value;
  return {
    id: str(id) ?? str(value.instance_id),
    thread: str(session) ?? str(sessionId) ?? str(conversation) ?? str(thread),
    model: str(value.model),
    at: value.timestamp ?? value.created_at ?? value.createdAt ?? value.time,
  };
}

/** The model's answer to a request, in the form of any provider. */
function answerIn(value: Obj): readonly Json[] {
  const answer = obj(value.response ?? value.completion ?? value.output);
  const inner = isObject(answer.body) ? answer.body : answer;
  const choice = obj(list(inner.choices)[0]).message ?? obj(list(inner.candidates)[0]).content;
  const { usage, usageMetadata, model } = inner;
  if (isObject(choice)) return [{ ...choice, ...known({ usage: usage ?? usageMetadata, model }) }];
  if (isMessage(inner as Json)) return [inner as Json];
  return list(inner.output).filter(isMessage);
}

function known(members: { readonly [key: string]: Json | undefined }): { readonly [key: string]: Json } {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as {
    readonly [key: string]: Json;
  };
}

interface Thread {
  readonly session: RecordedSession;
  readonly transcript: Transcript;
  readonly chat: Chat;
  readonly facts: Facts;
  /** Marks of its messages. An answer has none, because a later request has it in another form. */
  marks: readonly (string | undefined)[];
}

/** The most conversations that are open at the same time. */
const mostThreads = 16;

/**
 * Writes whole conversations, each as a session. A log of requests repeats a conversation with every request: a
 * conversation that begins with all messages of an earlier one continues its session, and only its new messages are
 * written.
 */
export function createConversations(recorder: Recorder) {
  const threads: Thread[] = [];
  const names = new Map<string, number>();
  let unnamed = 0;

  function open(facts: Facts): Thread {
    const id = facts.thread ?? facts.id;
    const times = id === undefined ? 1 : (names.get(id) ?? 0) + 1;
    if (id !== undefined) names.set(id, times);
    const name = id === undefined ? `${recorder.fallbackId}#${++unnamed}` : times === 1 ? id : `${id}#${times}`;
    const session = recorder.open(name, { model: facts.model });
    const transcript = createTranscript(recorder, session);
    return { session, transcript, chat: createChat(recorder, transcript), facts, marks: [] };
  }

  function close({ session, transcript }: Thread): void {
    transcript.end();
    recorder.close(session);
  }

  return {
    add(conversation: WholeConversation): void {
      const messages = conversation.messages.filter((message) => !isInstruction(message));
      const marks = messages.map(markOf);
      const before = longest(threads.filter((thread) => goesOn(thread, conversation, marks, messages)));
      const thread = before ?? open(conversation);
      const news = messages.slice(thread.marks.length);
      // The messages of the first request may be much older than the record.
      for (const message of news) thread.chat.message(before === undefined ? message : timed(message, conversation.at));
      for (const message of conversation.answer) thread.chat.message(timed(message, conversation.at));
      thread.marks = [...marks, ...conversation.answer.map(() => undefined)];
      if (before !== undefined) threads.splice(threads.indexOf(before), 1);
      threads.push(thread);
      if (threads.length > mostThreads) close(threads.shift()!);
    },
    end(): void {
      for (const thread of threads) close(thread);
    },
  };
}

function timed(message: Json, at: Json | undefined): Json {
  return isObject(message) && at !== undefined ? { timestamp: at, ...message } : message;
}

/** Instructions of the agent for the model: they may change from request to request, and are not events. */
function isInstruction(message: Json): boolean {
  return plainMessages(message).every(({ role }) => role === 'system' || role === 'developer');
}

/**
 * Whether a conversation begins with all of a thread and may be the same. With another id it must have more messages.
 */
function goesOn(
  { marks: before, facts }: Thread,
  { id, thread }: Facts,
  marks: readonly string[],
  messages: readonly Json[],
): boolean {
  const shared = before.length;
  if (shared === 0 || shared > marks.length || thread !== facts.thread) return false;
  if (!before.every((mark, at) => (mark === undefined ? !isAsked(messages[at]!) : mark === marks[at]))) return false;
  if (thread !== undefined || id === facts.id) return true;
  return marks.length > shared && messages.slice(0, shared).some((message) => !isAsked(message));
}

/** Whether a message is input of the model, not its answer. */
function isAsked(message: Json): boolean {
  return plainMessages(message).every(
    ({ role, type }) =>
      role === 'user' || role === 'tool' || role === 'function' || /_(output|result)$/.test(str(type) ?? ''),
  );
}

function longest(threads: readonly Thread[]): Thread | undefined {
  return threads.reduce<Thread | undefined>(
    (best, thread) => (best === undefined || thread.marks.length > best.marks.length ? thread : best),
    undefined,
  );
}

/** A hash of a message's content. Cache markers are left out, because they move from message to message. */
function markOf(value: Json): string {
  const said = plainMessages(value).map((message) => [
    message.role ?? message.type ?? '',
    contentOf(message.content ?? message.parts ?? message.output),
    list(message.tool_calls).map((each) => {
      const call = obj(each);
      const named = obj(call.function);
      return [call.id ?? '', named.name ?? call.name ?? '', parsed(named.arguments ?? call.args ?? call.arguments)];
    }),
    [message.call_id ?? message.tool_call_id ?? '', message.name ?? '', message.arguments ?? message.summary ?? ''],
  ]);
  const text = JSON.stringify(said, (key, member) => (key === 'cache_control' || member === null ? undefined : member));
  return createHash('sha1').update(text).digest('base64');
}
