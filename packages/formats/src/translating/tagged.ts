/** A piece of text between a tag and its end. */
export interface Tagged {
  readonly before: string;
  readonly inside: string;
  readonly after: string;
}

/**
 * The first `<tag>…</tag>` in a text; the tag may have attributes. It searches for fixed strings without backtracking,
 * so it takes linear time.
 */
export function tagged(text: string, tag: string, from = 0): Tagged | undefined {
  for (let at = text.indexOf(`<${tag}`, from); at >= 0; at = text.indexOf(`<${tag}`, at + 1)) {
    const next = text[at + tag.length + 1];
    if (next !== '>' && next !== ' ') continue;
    const open = text.indexOf('>', at);
    const close = open < 0 ? -1 : text.indexOf(`</${tag}>`, open);
    if (close < 0) return undefined;
    return {
      before: text.slice(0, at),
      inside: text.slice(open + 1, close),
      after: text.slice(close + tag.length + 3),
    };
  }
  return undefined;
}

/** A text without these tags and their contents, and the contents. */
export function untagged(text: string, tag: string): { readonly rest: string; readonly inside: readonly string[] } {
  const inside: string[] = [];
  let rest = '';
  let left = text;
  for (let found = tagged(left, tag); found !== undefined; found = tagged(left, tag)) {
    rest += found.before;
    inside.push(found.inside);
    left = found.after;
  }
  return { rest: rest + left, inside };
}
