/** Parses a settings file. Some editors on Windows put a byte order mark before the text. */
export function parseSettings(text: string): unknown {
  return JSON.parse(text.startsWith('\ufeff') ? text.slice(1) : text);
}
