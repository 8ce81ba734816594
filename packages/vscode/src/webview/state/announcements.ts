import { type Conversation, type Item, noteInWords, textOf } from '@loopfuse/conversation';

/** A text for screen readers. */
export interface Announcement {
  readonly key: number;
  readonly text: string;
}

/** The limits of what is read out at once. */
const most = { characters: 1500, entries: 8 } as const;

/** Adds texts to the announcements and keeps the latest few. */
export function withAnnouncements(
  announced: readonly Announcement[],
  texts: readonly string[],
): readonly Announcement[] {
  const words = texts.map((text) => text.trim()).filter((text) => text !== '');
  if (words.length === 0) return announced;
  const next = (announced.at(-1)?.key ?? 0) + 1;
  const more = words.map((text, k) => ({
    key: next + k,
    text: text.length > most.characters ? `${text.slice(0, most.characters)} …` : text,
  }));
  return [...announced, ...more].slice(-most.entries);
}

/** The changes between two states of a conversation, in words for screen readers. */
export function changesInWords(before: Conversation, after: Conversation): readonly string[] {
  const asked = after.approvals.filter(({ id }) => !before.approvals.some((one) => one.id === id));
  return [
    ...changedItems(before, after).flatMap(({ item, was }) => wordsFor(item, was)),
    ...asked.map(({ request }) => `Approval needed: ${request.call.tool}, ${request.title}`),
  ];
}

/** The items that are new or have changed. */
export function changedItems(
  before: Conversation,
  after: Conversation,
): readonly { readonly item: Item; readonly was: Item | undefined }[] {
  const { live: earlier } = before; // finished items do not change
  return [...after.items.slice(before.items.length), ...after.live]
    .map((item, k) => ({ item, was: earlier[k]?.type === item.type ? earlier[k] : undefined }))
    .filter(({ item, was }) => item !== was);
}

/** An answer is read out when it is complete, not at every delta. */
function wordsFor(item: Item, was: Item | undefined): readonly string[] {
  switch (item.type) {
    case 'says':
      return item.open ? [] : [textOf(item.text)];
    case 'note':
      return [noteInWords(item)];
    case 'tool':
      return item.status === 'failed' ? [`${item.call.tool} has failed.`] : [];
    case 'loop':
      return was === undefined && item.state === 'asked'
        ? [`Stopped by the loop guard. ${item.report.title}. ${item.report.explanation}`]
        : [];
    case 'you':
    case 'thinks':
    case 'guard':
    case 'list':
    case 'display':
      return [];
  }
}
