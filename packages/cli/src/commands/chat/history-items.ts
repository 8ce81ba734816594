import type { Message } from '@loopfuse/agent';
import { counted } from 'loopfuse/words';
import { type Item, note } from './screen/item.js';

/** More than this of an earlier conversation nobody reads again. */
const most = 24;

/** The end of a conversation as it stood on the screen. */
export function historyItems(history: readonly Message[]): Item[] {
  const results = new Map(
    history.flatMap((message) => (message.role === 'tool' ? message.results.map((result) => [result.id, result]) : [])),
  );
  const items = history.flatMap((message): Item[] => {
    if (message.role === 'tool') return [];
    if (message.role === 'user') return userItems(message);
    return message.parts.flatMap((part): Item[] => {
      if (part.type === 'reasoning')
        return part.text.trim() === '' ? [] : [{ type: 'thinks', text: part.text, full: false }];
      if (part.type === 'text') return part.text.trim() === '' ? [] : [{ type: 'says', text: part.text }];
      const { id, tool, input } = part;
      const { status = 'not-run', output = '' } = results.get(id) ?? {};
      const title = Object.values(input).find((value) => typeof value === 'string') ?? '';
      return [{ type: 'tool', call: { id, tool, input }, title, status, streamed: '', output }];
    });
  });
  if (items.length <= most) return items;
  return [note(`${counted(items.length - most, 'earlier entry', 'earlier entries')} not shown`), ...items.slice(-most)];
}

function userItems({ from, text }: Extract<Message, { role: 'user' }>): Item[] {
  switch (from) {
    case 'user':
      return [{ type: 'you', text }];
    case 'guard':
      return [note(text, 'warning')];
    case 'summary':
      return [note('What was said before was compressed here.')];
    case 'agent':
      return [];
  }
}

/** What the person has sent, for the keys that recall it. */
export function sentBefore(history: readonly Message[]): string[] {
  return history.flatMap((message) => (message.role === 'user' && message.from === 'user' ? [message.text] : []));
}
