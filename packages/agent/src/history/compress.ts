import { texts } from '../texts/texts.js';
import { clipMiddle } from '../workspace/clip.js';
import { requestInWords } from './attachment.js';
import { type Message, sizeOf, type ToolMessage } from './message.js';

/** The instructions for the summary. */
export const compressionPrompt: string = texts['history/compression-prompt.md'];

/** Every provider counts tokens differently. Four characters per token is close enough for deciding when to compress. */
export const charactersPerToken = 4;

export function estimatedTokens(messages: readonly Message[]): number {
  return Math.ceil(messages.reduce((sum, message) => sum + sizeOf(message), 0) / charactersPerToken);
}

export interface Split {
  /** To be summarised. */
  readonly head: readonly Message[];
  /** Kept as it is. Calls and their results are never separated. */
  readonly tail: readonly Message[];
}

/** Where to cut, keeping about `characters` of the end; `undefined` when there is nothing worth summarising. */
export function splitHistory(history: readonly Message[], characters: number): Split | undefined {
  let size = 0;
  let cut = history.length;
  for (let at = history.length - 1; at > 0; at--) {
    size += sizeOf(history[at]!);
    if (size > characters) break;
    if (history[at]!.role !== 'tool') cut = at;
  }
  const head = history.slice(0, cut);
  const onlySummary = head.length === 1 && head[0]!.role === 'user' && head[0]!.from === 'summary';
  return head.length === 0 || onlySummary ? undefined : { head, tail: history.slice(cut) };
}

/** The conversation as text, to be summarised. Real messages with calls would need the tools in the request. */
export function transcript(messages: readonly Message[], characters: number): string {
  const each = Math.max(400, Math.floor(characters / 20));
  return clipMiddle(messages.flatMap((message) => linesOf(message, each)).join('\n\n'), characters);
}

function linesOf(message: Message, each: number): readonly string[] {
  switch (message.role) {
    case 'user':
      return [`## ${speakers[message.from]}\n${clipMiddle(requestInWords(message), each * 4)}`];
    case 'assistant':
      return message.parts.flatMap((part) => {
        if (part.type === 'reasoning') return [];
        return part.type === 'text'
          ? [`## Agent\n${clipMiddle(part.text, each)}`]
          : [`## Agent calls ${part.tool}\n${clipMiddle(JSON.stringify(part.input), each)}`];
      });
    case 'tool':
      return message.results.map(
        ({ tool, status, output }) => `## Result of ${tool} (${status})\n${clipMiddle(output, each)}`,
      );
  }
}

const speakers = {
  user: 'User',
  guard: 'Loop guard',
  summary: 'Earlier notes',
  agent: 'Agent, to itself',
  face: 'What the user did',
} as const;

/** The shorter history: the summary with the exact current request, and the tail. */
export function withSummary(summary: string, request: string, tail: readonly Message[]): Message[] {
  const text = `What happened before, in notes:\n\n${summary.trim()}\n\nThe request being worked on, to the letter:\n\n${clipMiddle(request, 8000)}`;
  return [{ role: 'user', from: 'summary', text }, ...tail];
}

/** Results cut down to `characters` each, for a tail that is still too long. */
export function withShortResults(messages: readonly Message[], characters: number): Message[] {
  return messages.map((message) => (message.role === 'tool' ? shortened(message, characters) : message));
}

function shortened(message: ToolMessage, characters: number): ToolMessage {
  return {
    ...message,
    results: message.results.map((result) => ({ ...result, output: clipMiddle(result.output, characters) })),
  };
}
