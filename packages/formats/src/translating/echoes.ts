/** More texts than this that wait for their echo, and the oldest is forgotten. */
const maxWaiting = 256;

/**
 * For logs that write the same thing on two channels, in either order: each text is to be taken once, from whichever
 * channel has it first, and a text that is truly said twice is to be taken twice.
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
