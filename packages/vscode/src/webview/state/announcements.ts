import { type Conversation, type Item, noteInWords, textOf } from '@loopfuse/conversation';

/** Something that is read out. */
export interface Announcement {
  readonly key: number;
  readonly text: string;
}

/** More than this nobody listens to at once. */
const most = { characters: 1500, entries: 8 } as const;

/** What is read out after a change, the latest few. */
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

/** What has changed between two states of a conversation, in words for whoever cannot see it. */
export function changesInWords(before: Conversation, after: Conversation): readonly string[] {
  const asked = after.approvals.filter(({ id }) => !before.approvals.some((one) => one.id === id));
  return [
    ...changedItems(before, after).flatMap(({ item, was }) => wordsFor(item, was)),
    ...asked.map(({ request }) => `Approval needed: ${request.call.tool}, ${request.title}`),
  ];
}

/** The items that are new or not as they were. */
export function changedItems(
  before: Conversation,
  after: Conversation,
): readonly { readonly item: Item; readonly was: Item | undefined }[] {
  const { live: earlier } = before; // what is final does not change
  return [...after.items.slice(before.items.length), ...after.live]
    .map((item, k) => ({ item, was: earlier[k]?.type === item.type ? earlier[k] : undefined }))
    .filter(({ item, was }) => item !== was);
}

/** An answer is read out when it is whole, and not every delta of it. */
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
