/** The target of a link, if its protocol is allowed. */
export function safeTarget(href: string): string | undefined {
  try {
    const { protocol, href: whole } = new URL(href);
    return ['http:', 'https:', 'mailto:'].includes(protocol) ? whole : undefined;
  } catch {
    return undefined;
  }
}

/**
 * What to add to the text of a link to show where it leads: its host, or its mail address. Empty where the text is an
 * address with that very host. A host anywhere else in the text does not count: `github.com` contains `hub.com`.
 */
export function hostBeside(text: string, target: string): string {
  const { host, protocol, pathname } = new URL(target);
  const place = protocol === 'mailto:' ? pathname : host;
  const said = text.trim().toLowerCase();
  const [start = ''] = said.replace(/^(?:https?:\/\/|mailto:)/, '').split(/[/?#]/, 1);
  return start === place.toLowerCase() && !/\s/.test(said) ? '' : place;
}

const name = String.raw`[\w@.+-]+`;
const line = String.raw`(?::\d{1,7}(?:[:-]\d{1,7})?|#L\d{1,7})?`;
const pathInText = new RegExp(
  String.raw`(?<![\w/.:@+\\-])(?:\.{0,2}/)?(?:${name}/)+${name}\.[A-Za-z]\w{0,7}${line}(?![\w/])`,
  'g',
);
const pathAlone = new RegExp(String.raw`^(?:\.{0,2}/)?(?:${name}/)*${name}\.[A-Za-z]\w{0,7}${line}$`);

/** Extensions of a bare name that make it a file. Others, such as `console.log`, are more likely to be code. */
const endings =
  /\.(?:[cm]?[jt]sx?|json[cl5]?|mdx?|txt|html?|s?css|less|ya?ml|toml|xml|svg|sh|ps1|bat|py|rb|go|rs|java|kts?|swift|cs|fs|php|c|cc|cpp|h|hpp|sql|graphql|proto|lock|env|ini|cfg|vue|svelte|lua|dart|ex|exs|ipynb)$/i;

/** The path in a text that is nothing else, as in `code`, if it looks like a file of the workspace. */
export function fileOf(text: string): string | undefined {
  if (text.length > 300 || !pathAlone.test(text) || isHost(text)) return undefined;
  return text.includes('/') || endings.test(text.split(/[:#]/, 1)[0]!) ? normal(text) : undefined;
}

/** Splits a text into plain text and paths. */
export function withFiles(text: string): readonly { readonly text: string; readonly path?: string }[] {
  const parts: { text: string; path?: string }[] = [];
  let from = 0;
  for (const { 0: found, index } of text.matchAll(pathInText)) {
    if (isHost(found) || found.length > 300) continue;
    if (index > from) parts.push({ text: text.slice(from, index) });
    parts.push({ text: found, path: normal(found) });
    from = index + found.length;
  }
  if (from < text.length) parts.push({ text: text.slice(from) });
  return parts;
}

/** `example.com/a.html` is most likely not a file. */
function isHost(path: string): boolean {
  return /^(?:www\.|[\w-]+\.(?:com|org|net|io|dev|app|ai)\/)/i.test(path);
}

/** The path with its line after a colon. */
function normal(path: string): string {
  return path
    .replace(/^\.\//, '')
    .replace(/#L(\d+)$/, ':$1')
    .replace(/(:\d+)-\d+$/, '$1');
}
