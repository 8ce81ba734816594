import type { Json } from '../event.js';
import { checked, nonNegative, only } from '../shape.js';
import { blockLength, type Channel, loadWords, readBlock, saveWords, startWords, type Words } from './words.js';

/**
 * A message while it lasts. It is read in blocks, which end at the same characters however the stream was cut. When a
 * reader was urgent at the end of a block, the next block is read as it arrives, delta by delta.
 */
export interface Message {
  readonly channel: Channel;
  words: Words | undefined;
  /** Characters so far. */
  length: number;
  /** What was not read yet: less than a block, or everything while the message is short. */
  pending: string;
  /** For each delta in `pending`: up to which character of the message it goes, and its event. */
  deltas: number[];
  /** Characters up to the end of the block; and whether they are read as they arrive. */
  left: number;
  urgent: boolean;
}

/** The messages that have begun. */
export type Messages = Record<Channel, Message | undefined>;

export function startMessages(): Messages {
  return { text: undefined, reasoning: undefined };
}

/** The message of a channel. It begins now if there is none. */
export function openMessage(messages: Messages, channel: Channel): Message {
  // By name: looking up a field by a variable name costs more.
  if (channel === 'text') {
    messages.text ??= startMessage(channel);
    return messages.text;
  }
  messages.reasoning ??= startMessage(channel);
  return messages.reasoning;
}

/** Adds a delta, of event `seq`. */
export function append(message: Message, text: string, seq: number): void {
  if (text === '') return;
  message.pending += text;
  message.length += text.length;
  message.deltas.push(message.length, seq);
}

function startMessage(channel: Channel): Message {
  return { channel, length: 0, deltas: [], words: undefined, pending: '', left: blockLength, urgent: false };
}

/** Whether some of it must be read now. */
export function isDue({ pending, left, urgent }: Message): boolean {
  return pending.length >= left || (urgent && pending.length > 0);
}

/** Reads up to the end of the block or, if that has not arrived yet, what is there. Surrogate pairs are not cut. */
export function readOn(message: Message, words: Words): void {
  const { pending, left } = message;
  const most = Math.min(left, pending.length);
  const last = pending.charCodeAt(most - 1);
  const end = last >= 0xd800 && last < 0xdc00 ? most - 1 : most;
  let read = 0;
  // The delta that ended with the block before is kept: only now is it known where its last word ends.
  while (message.deltas[read]! < words.length) read += 2;
  if (read > 0) message.deltas.splice(0, read);
  words.deltas = message.deltas;
  readBlock(words, pending.slice(0, end));
  message.pending = pending.slice(end);
  message.left = most === left ? blockLength + most - end : left - end;
}

// Rings are large, and most sessions are silent at any time: the last ones are kept for the next session that needs
// one.
const spare: Uint8Array[] = [];

/** The words of a message from now on. */
export function beginWords(message: Message): Words {
  message.words = startWords(message.channel, spare.pop());
  return message.words;
}

/** Takes the ring back: these words will not be read any more. */
export function endWords(words: Words): void {
  if (spare.length < 2) spare.push(words.ring);
}

const messageLike = {
  length: nonNegative,
  pending: '',
  deltas: [nonNegative],
  left: only('at most a block', (left) => (left as number) > 0 && (left as number) <= blockLength + 1),
  urgent: false,
};

export function saveMessages({ text, reasoning }: Messages): Json {
  return { text: saved(text), reasoning: saved(reasoning) };
}

/** Throws a `TypeError` on what `saveMessages` did not make. */
export function loadMessages(messages: Json): Messages {
  const { text, reasoning } = messages as Record<Channel, Json>;
  return { text: loaded('text', text), reasoning: loaded('reasoning', reasoning) };
}

function saved(message: Message | undefined): Json {
  if (message === undefined) return null;
  const { words, ...rest } = message;
  return { ...rest, words: words === undefined ? null : saveWords(words) };
}

/** Made by `startMessage` too: engines read fields faster when all objects have the same shape. */
function loaded(channel: Channel, saved: Json): Message | undefined {
  if (saved === null) return undefined;
  const { length, pending, deltas, left, urgent } = checked(messageLike, saved, 'the message') as unknown as Message;
  const { words } = saved as { words: Json };
  return Object.assign(startMessage(channel), {
    length,
    pending,
    deltas,
    left,
    urgent,
    words: words === null ? undefined : loadWords(channel, words),
  });
}
