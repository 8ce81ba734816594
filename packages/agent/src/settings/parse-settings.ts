/** What the text of a settings file says. Some editors of Windows put a byte order mark before it. */
export function parseSettings(text: string): unknown {
  return JSON.parse(text.startsWith('\ufeff') ? text.slice(1) : text);
}
