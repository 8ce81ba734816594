import { lexer, type MarkedToken, type Token, type Tokens } from 'marked';
import type { Glyphs } from '../glyphs.js';
import type { Colour } from '../paint.js';
import { coloured, type Line, type Span, span } from './span.js';
import { tableLines } from './table-lines.js';
import { wrapSpans } from './wrap-spans.js';

/** Markdown as lines of at most `columns`. Never throws: what is not understood is shown as it was written. */
export function markdownLines(text: string, columns: number, glyphs: Glyphs): Line[] {
  const page = { columns: Math.max(10, columns), glyphs };
  try {
    return blocks(lexer(text), page);
  } catch {
    return wrapSpans([span(text)], page.columns); // a parser that throws must not lose the text
  }
}

interface Page {
  readonly columns: number;
  readonly glyphs: Glyphs;
}

/** Blocks with a blank line between them. */
function blocks(tokens: readonly Token[], page: Page, between: 'blank' | 'tight' = 'blank'): Line[] {
  const lines: Line[] = [];
  for (const token of tokens) {
    const block = blockLines(token as MarkedToken, page);
    if (block.length === 0) continue;
    if (lines.length > 0 && between === 'blank') lines.push([]);
    lines.push(...block);
  }
  return lines;
}

function blockLines(token: MarkedToken, page: Page): Line[] {
  const { columns, glyphs } = page;
  switch (token.type) {
    case 'space':
    case 'def':
      return [];
    case 'heading':
      return wrapSpans(coloured(inline(token.tokens), ...headings[Math.min(token.depth, 3) - 1]!), columns);
    case 'paragraph':
      return wrapSpans(inline(token.tokens), columns);
    case 'text':
      return wrapSpans('tokens' in token && token.tokens ? inline(token.tokens) : [span(token.text)], columns);
    case 'code':
      return codeLines(token, page);
    case 'blockquote':
      return within(blocks(token.tokens, { ...page, columns: columns - 2 }), [span(`${glyphs.column} `, 'dim')], 'dim');
    case 'list':
      return listLines(token as Tokens.List, page);
    case 'table':
      return tableLines(
        {
          header: token.header.map((cell: Tokens.TableCell) => inline(cell.tokens)),
          rows: token.rows.map((row: Tokens.TableCell[]) => row.map((cell) => inline(cell.tokens))),
          align: token.align,
        },
        columns,
        glyphs,
      );
    case 'hr':
      return [[span(glyphs.rule.repeat(Math.min(columns, 40)), 'dim')]];
    default:
      return wrapSpans([span(token.raw.trimEnd())], columns);
  }
}

const headings: readonly (readonly Colour[])[] = [['bold', 'underline'], ['bold'], ['bold', 'dim']];

/** Code keeps its line breaks and blanks; only what is too wide is cut. */
function codeLines({ text, lang }: Tokens.Code, { columns, glyphs }: Page): Line[] {
  const edge = [span(`${glyphs.column} `, 'dim')];
  const name = lang?.split(/\s/)[0] ?? '';
  const lines = text.split('\n').flatMap((line) => {
    const blanks = /^ */.exec(line)![0];
    return wrapSpans([span(line.slice(blanks.length), 'cyan')], columns, {
      first: [...edge, span(blanks)],
      rest: [...edge, span(`${blanks}  `)],
    });
  });
  return name === '' ? lines : [[...edge, span(name, 'dim')], ...lines];
}

function listLines({ ordered, start, loose, items }: Tokens.List, page: Page): Line[] {
  const { columns, glyphs } = page;
  const from = typeof start === 'number' ? start : 1;
  const room = ordered ? String(from + items.length - 1).length + 2 : 2;
  const lines: Line[] = [];
  for (const [k, item] of items.entries()) {
    const mark = ordered ? `${from + k}.`.padEnd(room) : `${glyphs.bullet} `;
    const box = item.task ? [span(item.checked ? `${glyphs.good} ` : '[ ] ', item.checked ? 'green' : 'dim')] : [];
    const tokens = item.tokens.filter(({ type }) => type !== 'checkbox');
    const block = blocks(tokens, { columns: columns - room, glyphs }, loose ? 'blank' : 'tight');
    if (loose && lines.length > 0) lines.push([]);
    const [first = [], ...rest] = block;
    lines.push([span(mark, 'cyan'), ...box, ...first], ...within(rest, [span(' '.repeat(room))]));
  }
  return lines;
}

function within(lines: readonly Line[], edge: Line, ...colours: Colour[]): Line[] {
  return lines.map((line) => [...edge, ...coloured(line, ...colours)]);
}

function inline(tokens: readonly Token[] = []): Span[] {
  return (tokens as readonly MarkedToken[]).flatMap((token): readonly Span[] => {
    switch (token.type) {
      case 'strong':
        return coloured(inline(token.tokens), 'bold');
      case 'em':
        return coloured(inline(token.tokens), 'italic');
      case 'del':
        return coloured(inline(token.tokens), 'strike');
      case 'codespan':
        return [span(token.text, 'cyan')];
      case 'br':
        return [span('\n')];
      case 'link':
        return linked(token);
      case 'image':
        return [span(token.text || token.href, 'underline')];
      case 'text':
        return 'tokens' in token && token.tokens ? inline(token.tokens) : [span(token.text)];
      case 'escape':
        return [span(token.text)];
      default:
        return [span(token.raw)];
    }
  });
}

function linked({ text, href, tokens }: Tokens.Link): readonly Span[] {
  const words = coloured(inline(tokens), 'underline');
  return text === href || `mailto:${text}` === href ? words : [...words, span(` (${href})`, 'dim')];
}
