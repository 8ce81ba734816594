import type {
  AssistantMessage,
  AssistantPart,
  Attachment,
  AttachmentName,
  ClientEvent,
  HaltReport,
  Message,
  Remark,
  ToolResult,
  UserMessage,
} from '@loopfuse/agent';
import { guardMark, titleFrom } from '@loopfuse/agent/events';
import { type Conversation, type Known, openLoop, startConversation } from './conversation.js';
import { type FaceEvent, reduce } from './reduce.js';

/** The part of a stored session that is shown. */
export interface Stored {
  readonly history: readonly Message[];
  /** The loop that halted the request, until the user has decided about it. */
  readonly halted?: HaltReport | undefined;
}

/**
 * A stored conversation as it was shown live: its history is turned into the original events, which are reduced again. A
 * loop without a decision asks again.
 */
export function fromHistory({ history, halted }: Stored, known: Known = {}): Conversation {
  const folded = eventsOf(history).reduce(reduce, startConversation(known));
  // Sessions of earlier versions keep the loop beside the history.
  const asked =
    halted === undefined || openLoop(folded) !== undefined
      ? folded
      : reduce(folded, { type: 'loop-detected', ...halted });
  return { ...reduce(asked, { type: 'settled' }), guard: openLoop(asked) ? 'halted' : 'watching', ...known };
}

type Event = ClientEvent | FaceEvent;

/** The events of a history, in order, as far as they are stored. */
export function eventsOf(history: readonly Message[]): readonly Event[] {
  const all = withTakenOut(history);
  const results = all.flatMap((message) => (message.role === 'tool' ? message.results : []));
  const steers = all.flatMap(remarksOf).flatMap(({ event }) => (event.type === 'loop-steered' ? [event.message] : []));
  const found: Found = { results: new Map(results.map((result) => [result.id, result])), reported: new Set(steers) };
  return all.flatMap((message) => eventsIn(message, found));
}

/** What has to be known of the whole history to read one message of it. */
interface Found {
  readonly results: ReadonlyMap<string, ToolResult>;
  /** Notes to the model that a remark reports. */
  readonly reported: ReadonlySet<string>;
}

function eventsIn(message: Message, found: Found): readonly Event[] {
  switch (message.role) {
    case 'user':
      return [...wordsOf(message, found), ...remarksOf(message).map(({ event }) => event)];
    case 'assistant':
      return answerOf(message, found);
    case 'tool':
      return remarksOf(message).map(({ event }) => event);
  }
}

/** The history with the rounds that rewinds removed from the model's context, before their notes, as they were shown. */
function withTakenOut(history: readonly Message[]): readonly Message[] {
  return history.flatMap((message) =>
    message.role === 'user' && message.takenOut !== undefined
      ? [...withTakenOut(message.takenOut.messages), message]
      : [message],
  );
}

function remarksOf({ remarks = [] }: Message): readonly Remark[] {
  return remarks;
}

function wordsOf({ from, text, attachments, remarks = [] }: UserMessage, { reported }: Found): readonly Event[] {
  switch (from) {
    case 'user':
      return [{ type: 'started', text, ...(attachments === undefined ? {} : { attached: attachments.map(nameOf) }) }];
    case 'agent':
      return [{ type: 'started' }];
    case 'face':
      return [{ type: 'note', tone: 'plain', text }];
    case 'summary':
      return remarks.some(({ event }) => event.type === 'history-compressed')
        ? []
        : [{ type: 'note', tone: 'plain', text: 'Earlier messages were compressed here.' }];
    case 'guard': {
      const isShown = remarks.some(({ event }) => event.type === 'loop-rewound' || event.type === 'loop-detected');
      return isShown || reported.has(withoutMark(text)) ? [] : [{ type: 'note', tone: 'warning', text }];
    }
  }
}

function nameOf({ path, lines }: Attachment): AttachmentName {
  return lines === undefined ? { path } : { path, lines };
}

/** The events of an answer and of the results of its calls, with the remarks in their places. */
function answerOf(message: AssistantMessage, found: Found): readonly Event[] {
  const { parts } = message;
  const during = (part: number | undefined) =>
    remarksOf(message).flatMap((remark) => (remark.part === part ? [remark.event] : []));
  return [
    ...parts.flatMap((part, k) => [...during(k), ...partOf(part)]),
    ...during(parts.length),
    ...parts.flatMap((part) => (part.type === 'tool-call' ? resultOf(part.id, found) : [])),
    ...during(undefined),
  ];
}

function partOf(part: AssistantPart): readonly Event[] {
  switch (part.type) {
    case 'text':
      return [{ type: 'content', text: part.text }];
    case 'reasoning':
      return [{ type: 'reasoning', text: part.text }];
    case 'tool-call': {
      const { id, tool, input, title = titleFrom(part), unseen = false } = part;
      return unseen ? [] : [{ type: 'tool-call-request', call: { id, tool, input }, title }];
    }
  }
}

/** A result without the notes of the guard at its end, which are for models. A note that no remark reports is shown by itself. */
function resultOf(id: string, { results, reported }: Found): readonly Event[] {
  const result = results.get(id);
  if (result === undefined) return [];
  let { output } = result;
  const notes: Event[] = [];
  for (let at = noteAt(output); at >= 0; at = noteAt(output)) {
    const text = output.slice(at + 2);
    if (!reported.has(withoutMark(text))) notes.unshift({ type: 'note', tone: 'warning', text });
    output = output.slice(0, at);
  }
  return [{ type: 'tool-call-result', ...result, output }, ...notes];
}

function noteAt(output: string): number {
  return output.lastIndexOf(`\n\n${guardMark} `);
}

function withoutMark(text: string): string {
  return text.startsWith(`${guardMark} `) ? text.slice(guardMark.length + 1) : text;
}
