import type { Message, ToolCall, ToolResult } from '@loopfuse/agent';
import { addText, noBlocks } from '@loopfuse/conversation';
import type { NewItem } from './item.js';

/** A conversation as it stood on the page. */
export function historyItems(history: readonly Message[]): NewItem[] {
  const results = new Map<string, ToolResult>();
  for (const message of history)
    if (message.role === 'tool') for (const result of message.results) results.set(result.id, result);
  return history.flatMap((message) => itemsOf(message, results));
}

/** What the person has sent, for recalling it. */
export function sentBefore(history: readonly Message[]): string[] {
  return history.flatMap((message) => (message.role === 'user' && message.from === 'user' ? [message.text] : []));
}

function itemsOf(message: Message, results: ReadonlyMap<string, ToolResult>): NewItem[] {
  switch (message.role) {
    case 'tool':
      return [];
    case 'user':
      return userItems(message);
    case 'assistant':
      return message.parts.flatMap((part): NewItem[] => {
        if (part.type === 'tool-call') return [cardOf(part, results.get(part.id))];
        const type = part.type === 'reasoning' ? 'thinks' : 'says';
        return part.text.trim() === '' ? [] : [{ type, text: addText(noBlocks, part.text), open: false }];
      });
  }
}

function userItems({ from, text }: Extract<Message, { role: 'user' }>): NewItem[] {
  switch (from) {
    case 'user':
      return [{ type: 'you', text }];
    case 'guard':
      return [{ type: 'note', tone: 'warning', text }];
    case 'summary':
      return [{ type: 'note', tone: 'plain', text: 'What was said before was compressed here.' }];
    case 'agent':
      return [];
  }
}

function cardOf({ id, tool, input }: ToolCall, result: ToolResult | undefined): NewItem {
  const title = Object.values(input).find((value) => typeof value === 'string') ?? '';
  const { status = 'not-run', output = '' } = result ?? {};
  return { type: 'tool', call: { id, tool, input }, title, status, streamed: '', output };
}
