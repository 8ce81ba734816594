import type { Message, RequestView } from './conversation.js';
import { isObject, parsedOr } from './foreign.js';

type Asked = Pick<RequestView, 'tools' | 'schema' | 'system' | 'messages'>;

/**
 * Whether this is a side request: one that offers no tools and wants JSON, or a title, a topic or a summary of the
 * agent's conversation. It is not evidence about the work. A conversation without tools is not a side request, although
 * its prompt may mention topics and summaries: so from its second turn on, only its latest message is checked.
 */
export function isSideRequest({ tools, schema, system, messages }: Asked): boolean {
  if (tools.length > 0) return false;
  if (schema !== undefined) return !answersInJson(messages);
  const asked = messages.filter(({ role }) => role === 'user').map(({ text }) => text);
  // The last message is left out, because some agents write the beginning of the answer themselves.
  const isFirst = !messages.slice(0, -1).some(({ role }) => role === 'assistant');
  return (isFirst ? [system, asked[0], asked.at(-1)] : [asked.at(-1)]).some((text = '') => wantsWordsAbout(text));
}

/** Whether the model always answers in JSON here, and not only this once. */
function answersInJson(messages: readonly Message[]): boolean {
  const answers = messages.filter(({ role }) => role === 'assistant');
  return answers.length > 0 && answers.every(({ text, calls }) => calls.length === 0 && isObject(parsedOr(text)));
}

/** Instructions are in the first or last characters of a text; a long text in between is what they are about. */
const mostRead = 2000;

/** Whether a sentence asks for a title, a topic or a summary of a conversation. */
function wantsWordsAbout(text: string): boolean {
  const read = text.length <= 2 * mostRead ? text : `${text.slice(0, mostRead)}\n${text.slice(-mostRead)}`;
  return read.split(/[.!?\n]/).some((sentence) => [making, words, conversation].every((part) => part.test(sentence)));
}

const making =
  /\b(?:generat|creat|writ|produc|provid|output|return|extract|suggest|indicat|summari[sz])(?:e|es|ed|s|ing)?\b/i;
const words = /\b(?:titles?|topics?|summary|summari[sz](?:e|es|ing))\b/i;
const conversation =
  /\b(?:conversations?|chats?|sessions?|threads?|dialog(?:ue)?s?|transcripts?|history|handoff|tool outputs?)\b/i;
