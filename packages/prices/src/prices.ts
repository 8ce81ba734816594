import { costAt, type Price, type Tokens } from './price.js';
import { type PriceTable, priceTable } from './price-table.js';

/** What models cost, and when that was so. */
export interface Prices {
  readonly date: string;
  /** Undefined for a model that is not in the table: unknown is not free. */
  priceOf(model: string): Price | undefined;
  /** In dollars: what the log says itself, or by the table; undefined where neither is known, or no tokens were reported. */
  costOf(spent: Tokens & { readonly cost?: number }, model: string | undefined): number | undefined;
}

/** The table that comes with this package, and before it a table of one's own. */
export function createPrices(own?: Partial<PriceTable>): Prices {
  const models = new Map<string, Price>(Object.entries(priceTable.models));
  for (const [name, price] of Object.entries(own?.models ?? {})) models.set(name.toLowerCase(), price);
  const longestFirst = [...models.keys()].sort((a, b) => b.length - a.length);

  function priceOf(model: string): Price | undefined {
    const name = model.toLowerCase().replace(/^.*\/|^(?:[a-z]+\.)?anthropic\./, '');
    const known = longestFirst.find((one) => [name, name.replaceAll('.', '-')].some((form) => isSame(form, one)));
    return known === undefined ? undefined : models.get(known);
  }

  return {
    date: own?.date ?? priceTable.date,
    priceOf,
    costOf(spent, model) {
      if (spent.cost !== undefined) return spent.cost;
      if (spent.inputTokens + spent.outputTokens === 0 || model === undefined) return undefined;
      const price = priceOf(model);
      return price === undefined ? undefined : costAt(price, spent);
    },
  };
}

/** The name of a model may go on without being another: with a date, "latest", "preview". A number makes another. */
function isSame(name: string, listed: string): boolean {
  return name.startsWith(listed) && variant.test(name.slice(listed.length));
}

const variant =
  /^(?:[-@](?:\d{8}|\d{4}-\d\d-\d\d|latest|(?:preview|exp)(?:-\d\d-\d\d|-\d\d-\d{4})?|thinking|high|medium|low|v\d)|:\d|\[1m\])*$/;
