/**
 * The links of a Markdown text, `[text](target)`, `![text](target)`, `[name]: target`, `href="…"` and `src="…"`,
 * with the line they stand on. Code is not looked at.
 */
export function linksIn(text) {
  const links = [];
  for (const [index, line] of proseLines(text)) {
    const add = (target) => links.push({ target, line: index + 1 });
    for (let at = line.indexOf(']('); at >= 0; at = line.indexOf('](', at + 2)) {
      const target = targetAt(line, at + 2);
      if (target !== undefined) add(target);
    }
    const colon = line.startsWith('[') ? line.indexOf(']: ') : -1;
    if (colon > 0)
      add(
        line
          .slice(colon + 3)
          .trim()
          .split(' ')[0],
      );
    for (const attribute of ['href="', 'src="'])
      for (let at = line.indexOf(attribute); at >= 0; at = line.indexOf(attribute, at + 1)) {
        const from = at + attribute.length;
        const end = line.indexOf('"', from);
        if (end > from) add(line.slice(from, end));
      }
  }
  return links;
}

/** The anchors that the headings of a Markdown text make: those of GitHub, which the site uses, too. */
export function anchorsIn(text) {
  const anchors = new Set();
  for (const [, line] of proseLines(text, { keepInlineCode: true })) {
    const level = headingLevel(line);
    if (level === 0) continue;
    const slug = slugOf(plain(line.slice(level).trim()));
    let anchor = slug;
    for (let n = 1; anchors.has(anchor); n++) anchor = `${slug}-${n}`;
    anchors.add(anchor);
  }
  return anchors;
}

/** The anchor of a heading: letters, digits, `-` and `_` in lower case, with hyphens for spaces. */
export function slugOf(heading) {
  return heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, '')
    .replaceAll(' ', '-');
}

/** The lines outside of fenced code, with inline code blanked unless it is kept. */
function* proseLines(text, { keepInlineCode = false } = {}) {
  let fence;
  for (const [index, line] of text.split('\n').entries()) {
    const mark = fenceOf(line.trimStart());
    if (fence === undefined && mark === undefined) yield [index, keepInlineCode ? line : withoutInlineCode(line)];
    else if (fence === undefined) fence = mark;
    else if (mark?.[0] === fence[0] && mark.length >= fence.length) fence = undefined;
  }
}

/** The run of backticks or tildes that opens or closes a fence. */
function fenceOf(line) {
  const [first] = line;
  if (first !== '`' && first !== '~') return undefined;
  let length = 0;
  while (line[length] === first) length++;
  return length >= 3 ? line.slice(0, length) : undefined;
}

function withoutInlineCode(line) {
  return line
    .split('`')
    .map((part, index) => (index % 2 === 1 ? ' '.repeat(part.length) : part))
    .join('`');
}

/** What stands in the parentheses that open before `from`: without a title, and with parentheses of its own. */
function targetAt(line, from) {
  let depth = 1;
  for (let at = from; at < line.length; at++) {
    if (line[at] === '(') depth++;
    if (line[at] === ')') depth--;
    if (depth === 0) return line.slice(from, at).trim().split(' ')[0];
  }
  return undefined;
}

function headingLevel(line) {
  let level = 0;
  while (line[level] === '#') level++;
  return level <= 6 && line[level] === ' ' ? level : 0;
}

/** A heading without the marks of code, emphasis and links. */
function plain(heading) {
  let text = heading.replaceAll('`', '').replaceAll('*', '');
  for (let at = text.indexOf(']('); at >= 0; at = text.indexOf('](')) {
    const end = text.indexOf(')', at);
    if (end < 0) break;
    text = text.slice(0, at).replace('[', '') + text.slice(end + 1);
  }
  return text;
}
