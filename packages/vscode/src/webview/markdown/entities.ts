const named = new Map(
  Object.entries({
    amp: '&',
    lt: '<',
    gt: '>',
    quot: '"',
    apos: "'",
    nbsp: '\u00a0',
    hellip: '…',
    mdash: '—',
    ndash: '–',
    rarr: '→',
    larr: '←',
    times: '×',
    copy: '©',
  }),
);

/** Text with its character references decoded once. Unknown ones stay as they are. */
export function decoded(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,8}));/gi, (all, decimal, hex, name) => {
    if (name !== undefined) return named.get(name) ?? all;
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return code > 31 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : all;
  });
}
