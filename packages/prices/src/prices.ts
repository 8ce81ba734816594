import { costAt, isNothing, type ModelTokens, type Price, type Tokens, tokensBeside } from './price.js';
import { priceTable } from './price-table.js';

/** What models cost, and when that was so. */
export interface Prices {
  /** The latest day of the prices in use. */
  readonly date: string;
  /** The day on which the price of a model was looked up; undefined where the model, or the day, is not known. */
  asOf(model: string): string | undefined;
  /** Undefined for a model that is not in the table: unknown is not free. */
  priceOf(model: string): Price | undefined;
  /** In dollars: what the log says itself, or by the table; undefined where neither is known, or no tokens were reported. */
  costOf(spent: Spent, model: string | undefined): number | undefined;
}

/** What was used, as far as it is known. */
export interface Spent extends Tokens {
  /** In dollars, as the log says. */
  readonly cost?: number;
  /** The parts of it whose model is known; the rest was used of the model of the session. */
  readonly models?: readonly ModelTokens[] | undefined;
}

/** A table of one's own: `date` holds for the models that name no day themselves. */
export interface OwnPrices {
  readonly date?: string;
  readonly models?: { readonly [model: string]: Price & { readonly asOf?: string } };
}

/** The table that comes with this package, and before it a table of one's own. */
export function createPrices(own: OwnPrices = {}): Prices {
  const models = new Map<string, Price & { readonly asOf?: string }>(Object.entries(priceTable.models));
  for (const [name, price] of Object.entries(own.models ?? {}))
    models.set(name.toLowerCase(), own.date === undefined ? price : { asOf: own.date, ...price });
  const longestFirst = [...models.keys()].sort((a, b) => b.length - a.length);

  function entryOf(model: string) {
    const name = bareName(model);
    const known = longestFirst.find((one) => [name, name.replaceAll('.', '-')].some((form) => isSame(form, one)));
    return known === undefined ? undefined : models.get(known);
  }

  return {
    date: own.date ?? priceTable.date,
    priceOf: entryOf,
    asOf: (model) => entryOf(model)?.asOf,
    costOf(spent, model) {
      if (spent.cost !== undefined) return spent.cost;
      if (isNothing(spent)) return undefined;
      const { models = [] } = spent;
      const rest = { ...tokensBeside(spent, models), model };
      let cost = 0;
      for (const part of isNothing(rest) ? models : [...models, rest]) {
        const price = part.model === undefined ? undefined : entryOf(part.model);
        if (price === undefined) return undefined;
        cost += costAt(price, part);
      }
      return cost;
    },
  };
}

/** Without what routers and clouds put before it: `openrouter/anthropic/`, `us.anthropic.`, the address of an AWS profile. */
function bareName(model: string): string {
  const name = model.trim().toLowerCase();
  const last = name.slice(name.lastIndexOf('/') + 1);
  const cloud = last.lastIndexOf('anthropic.');
  return cloud < 0 ? last : last.slice(cloud + 'anthropic.'.length);
}

/** The name of a model may go on without being another: with a date, "latest", "preview". A number makes another. */
function isSame(name: string, listed: string): boolean {
  return name.startsWith(listed) && variant.test(name.slice(listed.length));
}

const variant =
  /^(?:[-@](?:\d{8}|\d{4}-\d\d-\d\d|latest|00\d|(?:preview|exp)(?:-\d\d-\d\d|-\d\d-\d{4})?|customtools|thinking|xhigh|high|medium|low|minimal|v\d)|:\d|:thinking|:beta|\[1m\])*$/;
