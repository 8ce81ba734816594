import { readFileSync } from 'node:fs';
import { UsageError } from '../../usage-error.js';
import { type Price, priceTable } from './price-table.js';
import type { Spent } from './spending.js';

/** What models cost, and when that was so. */
export interface Prices {
  readonly date: string;
  /** In dollars; undefined for a model that is not in the table, and where no tokens were reported. */
  costOf(spent: Spent, model: string | undefined): number | undefined;
}

/**
 * The table that comes with the program, or with `file` a table of the same shape, whose models go before ours. Throws
 * `UsageError` for a file that is none.
 */
export function loadPrices(file?: string): Prices {
  const own = file === undefined ? undefined : tableIn(file);
  const models = new Map(Object.entries({ ...priceTable.models, ...own?.models }));
  const byLength = [...models.keys()].sort((a, b) => b.length - a.length);

  function priceOf(model: string): Price | undefined {
    const name = model.toLowerCase().replace(/^.*\/|^(?:[a-z]+\.)?anthropic\./, '');
    const known = byLength.find((one) => [name, name.replaceAll('.', '-')].some((form) => isSame(form, one)));
    return known === undefined ? undefined : models.get(known);
  }

  return {
    date: own?.date ?? priceTable.date,
    costOf(spent, model) {
      if (spent.cost !== undefined) return spent.cost;
      if (spent.inputTokens + spent.outputTokens === 0 || model === undefined) return undefined;
      const price = priceOf(model);
      if (price === undefined) return undefined;
      const fresh = spent.inputTokens - spent.cachedTokens;
      return (fresh * price.input + spent.cachedTokens * price.cached + spent.outputTokens * price.output) / 1e6;
    },
  };
}

/** The name of a model may go on without being another: with a date, "latest", "preview". A number makes another. */
function isSame(name: string, listed: string): boolean {
  return name.startsWith(listed) && variant.test(name.slice(listed.length));
}

const variant =
  /^(?:[-@](?:\d{8}|\d{4}-\d\d-\d\d|latest|(?:preview|exp)(?:-\d\d-\d\d|-\d\d-\d{4})?|thinking|high|medium|low|v\d)|:\d|\[1m\])*$/;

function tableIn(file: string): { date?: string; models: Record<string, Price> } {
  const shape =
    'It should read {"date": "2026-01-31", "models": {"some-model": {"input": 3, "output": 15, "cached": 0.3}}}.';
  let table: unknown;
  try {
    table = JSON.parse(readFileSync(file, 'utf8'));
  } catch (cause) {
    throw new UsageError(`the prices in ${JSON.stringify(file)} cannot be read: ${String((cause as Error).message)}`);
  }
  const { date, models } = (table ?? {}) as { date?: unknown; models?: unknown };
  if (typeof models !== 'object' || models === null)
    throw new UsageError(`${JSON.stringify(file)} holds no "models".\n${shape}`);
  const checked: Record<string, Price> = {};
  for (const [name, value] of Object.entries(models)) {
    const { input, output, cached = input } = (value ?? {}) as { [key in keyof Price]?: unknown };
    if (!isPrice(input) || !isPrice(output) || !isPrice(cached))
      throw new UsageError(`${JSON.stringify(file)}: the price of ${JSON.stringify(name)} is none.\n${shape}`);
    checked[name.toLowerCase()] = { input, output, cached };
  }
  return { ...(typeof date === 'string' ? { date } : {}), models: checked };
}

function isPrice(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}
