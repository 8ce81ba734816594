import type { Message } from './message.js';

/** How our own notes to the model begin. */
export const guardMark = '[Loop guard]';

/**
 * The history with a note of the loop guard at its very end, so that the provider's cache stays valid. After
 * results of tools the note is part of the last result, because some providers accept no message of the user there.
 * Otherwise it is a message of the user.
 */
export function withNote(history: readonly Message[], note: string): Message[] {
  const text = `${guardMark} ${note}`;
  const last = history.at(-1);
  if (last?.role !== 'tool' || last.results.length === 0) return [...history, { role: 'user', from: 'guard', text }];
  const results = last.results.slice();
  const result = results.pop()!;
  return [
    ...history.slice(0, -1),
    { ...last, results: [...results, { ...result, output: `${result.output}\n\n${text}` }] },
  ];
}
