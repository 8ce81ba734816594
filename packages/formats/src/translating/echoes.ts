/** If more texts than this wait for their repetition, the oldest is forgotten. */
const maxWaiting = 256;

/**
 * For logs that write the same text on two channels, in either order. Each text must be read once, from the channel
 * that has it first; a text that occurs twice on a channel must be read twice. Returns whether the other channel had
 * the text already.
 */
export function createEchoes(): (channel: 1 | -1, text: string) => boolean {
  /** How far one channel is ahead of the other, by text. */
  const ahead = new Map<string, number>();
  return (channel, text) => {
    const before = ahead.get(text) ?? 0;
    const now = before + channel;
    if (now === 0) ahead.delete(text);
    else ahead.set(text, now);
    if (ahead.size > maxWaiting) ahead.delete(ahead.keys().next().value!);
    return before * channel < 0;
  };
}
