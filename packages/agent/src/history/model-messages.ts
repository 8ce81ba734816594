import type { AssistantModelMessage, ModelMessage } from 'ai';
import { requestInWords } from './attachment.js';
import type { AssistantMessage, Message, ToolResult } from './message.js';
import { repaired } from './repair.js';

/**
 * A history as the AI SDK takes it, valid for every provider: repaired, and with alternating roles. Consecutive
 * messages of the user become one. Between results of tools and a message of the user there is a line of the assistant,
 * because some providers require it. The last message is never the assistant's, because some providers refuse to
 * continue an answer that was cut off.
 */
export function modelMessages(history: readonly Message[]): ModelMessage[] {
  const messages: ModelMessage[] = [];
  for (const message of repaired(history)) {
    const last = messages.at(-1);
    switch (message.role) {
      case 'user': {
        const content = wellFormed(requestInWords(message));
        if (last?.role === 'user') last.content = `${String(last.content)}\n\n${content}`;
        else {
          if (last?.role === 'tool') messages.push({ role: 'assistant', content: interruption });
          messages.push({ role: 'user', content });
        }
        break;
      }
      case 'assistant': {
        const said = assistantMessage(message);
        if (last === undefined) messages.push({ role: 'user', content: opening });
        if (last?.role === 'assistant') last.content = [...parts(last), ...parts(said)];
        else messages.push(said);
        break;
      }
      case 'tool':
        messages.push({ role: 'tool', content: message.results.map(toolResult) });
    }
  }
  if (messages.at(-1)?.role === 'assistant') messages.push({ role: 'user', content: goOn });
  return messages;
}

/** The message that asks a model to continue its own answer. */
export const goOn = 'Please go on.';
const interruption = '(I was interrupted here.)';
const opening = '(The beginning of the conversation is missing.)';

type Parts = Exclude<AssistantModelMessage['content'], string>;

function parts({ content }: AssistantModelMessage): Parts {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content;
}

function assistantMessage(message: AssistantMessage): AssistantModelMessage {
  return {
    role: 'assistant',
    content: message.parts.map((part) => {
      const options = part.metadata === undefined ? {} : { providerOptions: mutable(part.metadata) };
      return part.type === 'tool-call'
        ? { type: 'tool-call', toolCallId: part.id, toolName: part.tool, input: part.input, ...options }
        : { type: part.type, text: wellFormed(part.text), ...options };
    }),
  };
}

function toolResult({ id, tool, output, status }: ToolResult) {
  const type = status === 'ok' ? ('text' as const) : ('error-text' as const);
  return {
    type: 'tool-result' as const,
    toolCallId: id,
    toolName: tool,
    output: { type, value: wellFormed(output) || '(no output)' },
  };
}

/** The SDK's types are mutable; it does not write. */
function mutable<Value>(value: Value): never {
  return value as never;
}

/** Halves of surrogate pairs, which not every server takes, become the replacement character. */
export function wellFormed(text: string): string {
  return text.replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '\ufffd');
}
