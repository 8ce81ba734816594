import type { Message, RequestView } from './conversation.js';
import { isObject, parsedOr } from './foreign.js';

type Asked = Pick<RequestView, 'tools' | 'schema' | 'system' | 'messages'>;

/**
 * Whether an agent asks on the side, for JSON or for a title, a topic or a summary of its conversation: a request that
 * offers no tools and wants this. What is said there is no evidence about the work. A conversation without tools is none,
 * although its prompt may speak of topics and summaries: from its second turn on, only its latest message is asked.
 */
export function isSideRequest({ tools, schema, system, messages }: Asked): boolean {
  if (tools.length > 0) return false;
  if (schema !== undefined) return !answersInJson(messages);
  const asked = messages.filter(({ role }) => role === 'user').map(({ text }) => text);
  // Some agents begin the answer themselves.
  const isFirst = !messages.slice(0, -1).some(({ role }) => role === 'assistant');
  return (isFirst ? [system, asked[0], asked.at(-1)] : [asked.at(-1)]).some((text = '') => wantsWordsAbout(text));
}

/** Whether JSON is what the model works in here, and not only what it is to answer this once. */
function answersInJson(messages: readonly Message[]): boolean {
  const answers = messages.filter(({ role }) => role === 'assistant');
  return answers.length > 0 && answers.every(({ text, calls }) => calls.length === 0 && isObject(parsedOr(text)));
}

/** Where an instruction stands: long texts before or after it are what it is about. */
const mostRead = 2000;

/** Whether a sentence wants a title, a topic or a summary to be made of a conversation. */
function wantsWordsAbout(text: string): boolean {
  const read = text.length <= 2 * mostRead ? text : `${text.slice(0, mostRead)}\n${text.slice(-mostRead)}`;
  return read.split(/[.!?\n]/).some((sentence) => [making, words, conversation].every((part) => part.test(sentence)));
}

const making =
  /\b(?:generat|creat|writ|produc|provid|output|return|extract|suggest|indicat|summari[sz])(?:e|es|ed|s|ing)?\b/i;
const words = /\b(?:titles?|topics?|summary|summari[sz](?:e|es|ing))\b/i;
const conversation =
  /\b(?:conversations?|chats?|sessions?|threads?|dialog(?:ue)?s?|transcripts?|history|handoff|tool outputs?)\b/i;
