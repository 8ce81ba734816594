import { type Blocks, type Item, noBlocks } from '@loopfuse/conversation';

/** The parts of an item that are final, and those that may still change. */
export interface Pieces {
  readonly final: readonly Item[];
  readonly open: readonly Item[];
}

/**
 * Splits an answer, so that the part that is drawn again and again stays short: each block is final as soon as it is
 * complete. The boundaries depend only on the text, so pieces are only ever added.
 */
export function piecesOf(item: Item): Pieces {
  switch (item.type) {
    case 'says': {
      const { whole, rest } = wholeBlocks(item.text);
      const final = whole.map((text) => ({ ...item, text: textOnly(text), open: false }));
      const last = rest.trim() === '' ? [] : [{ ...item, text: textOnly(rest) }];
      return item.open ? { final, open: last } : { final: [...final, ...last], open: [] };
    }
    case 'thinks':
      return item.open ? { final: [], open: [item] } : { final: [item], open: [] };
    case 'tool':
      return item.status === 'pending' ? { final: [], open: [item] } : { final: [item], open: [] };
    case 'loop':
      return item.state === 'answered' ? { final: [item], open: [] } : { final: [], open: [item] };
    case 'you':
    case 'guard':
    case 'note':
    case 'list':
    case 'display':
      return { final: [item], open: [] };
  }
}

/** The blocks that end with a line; a line without an end goes on, however long it is. */
function wholeBlocks({ done, rest }: Blocks): { readonly whole: readonly string[]; readonly rest: string } {
  const whole: string[] = [];
  let open = '';
  for (const block of done) {
    open += block;
    if (!open.endsWith('\n') || open.trim() === '') continue;
    whole.push(open);
    open = '';
  }
  return { whole, rest: open + rest };
}

function textOnly(text: string): Blocks {
  return { ...noBlocks, rest: text };
}
