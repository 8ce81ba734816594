import type { Json } from 'loopfuse';
import { attachedTo } from './foreign.js';

/** The protocols that are understood. */
export const protocols = ['openai-chat', 'openai-responses', 'anthropic', 'gemini'] as const;
export type Protocol = (typeof protocols)[number];

export interface Message {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly text: string;
  /** The text only stands for pictures and files that came without any text. */
  readonly wordless?: true;
  readonly reasoning: string;
  readonly calls: readonly Call[];
  /** In messages of the assistant: the results of calls that the provider has run itself. */
  readonly results: readonly ToolResult[];
}

export interface Call {
  readonly id: string;
  readonly tool: string;
  /** Parsed if it is JSON, else the text. */
  readonly input: Json;
}

export interface ToolResult {
  readonly id: string;
  readonly tool: string;
  readonly text: string;
  /** Only if the protocol says so. */
  readonly failed?: boolean;
}

export interface OfferedTool {
  readonly name: string;
  readonly description: string;
  /** A custom tool takes free text instead of an object. */
  readonly takes: 'object' | 'text';
  readonly parameters: JsonSchema;
  /** The group of the tool, if the protocol has groups. */
  readonly namespace?: string;
}

export type JsonSchema = { readonly [key: string]: Json };

/** One request to a model, in a form that is the same for all protocols. */
export interface RequestView {
  readonly model: string;
  readonly stream: boolean;
  /** The system prompt, wherever the protocol keeps it. */
  readonly system: string;
  /** The history without the system prompt. Tool results, and later system messages, are separate messages. */
  readonly messages: readonly Message[];
  readonly tools: readonly OfferedTool[];
  /** The tool that the request says must be called. */
  readonly forced?: string;
  /** The JSON schema that the request wants the answer to have. */
  readonly schema?: JsonSchema;
  /** The answer or conversation that the request goes on from, if the provider keeps it: it has only what is new. */
  readonly follows?: string;
}

/** What is known about a request besides its body. */
export interface Place {
  /** The model, if the protocol names it in the address. */
  readonly model?: string;
  /** Whether the address asks for a stream, if the body does not say. */
  readonly stream?: boolean;
  /** Looks up what the provider keeps: items of earlier answers by their id. */
  readonly stored?: (id: string) => readonly unknown[] | undefined;
}

/** Separates the system prompt from the history that follows it. */
export function apart(messages: readonly Message[], prompt = ''): Pick<RequestView, 'system' | 'messages'> {
  const begun = messages.findIndex(({ role }) => role !== 'system');
  const leading = begun < 0 ? messages.length : begun;
  const texts = messages.slice(0, leading).map(({ text }) => text);
  return { system: (prompt === '' ? texts : [prompt, ...texts]).join('\n'), messages: messages.slice(leading) };
}

/** Results with the pictures and files beside them: nothing says to which they belong, so the last result gets them. */
export function withAttached(results: readonly ToolResult[], parts: readonly unknown[]): readonly ToolResult[] {
  const last = results.at(-1);
  const attached = attachedTo(parts);
  if (last === undefined || attached === '') return results;
  return [...results.slice(0, -1), { ...last, text: last.text + attached }];
}

/** Adds the pictures and files of a message to the results directly before it, if there are any. */
export function attachToLast(messages: Message[], parts: readonly unknown[]): void {
  const last = messages.at(-1);
  if (last?.role === 'tool') messages[messages.length - 1] = { ...last, results: withAttached(last.results, parts) };
}

/** The results that came since the last answer of the model. */
export function latestResults(messages: readonly Message[]): readonly ToolResult[] {
  const since = messages.findLastIndex((message) => message.role === 'assistant') + 1;
  return messages.slice(since).flatMap((message) => message.results);
}

/** How many turns the model has had. Assistant messages in a row are one turn. */
export function modelTurns(messages: readonly Message[]): number {
  let turns = 0;
  messages.forEach((message, index) => {
    if (message.role === 'assistant' && messages[index - 1]?.role !== 'assistant') turns++;
  });
  return turns;
}
