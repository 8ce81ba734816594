import { costAt, isNothing, type ModelTokens, type Price, type Tokens, tokensBeside } from './price.js';
import { priceTable } from './price-table.js';

/** Prices of models, with their dates. */
export interface Prices {
  /** The latest day of the prices in use. */
  readonly date: string;
  /** The day on which the price of a model was looked up; `undefined` where the model or the day is not known. */
  asOf(model: string): string | undefined;
  /** `undefined` for a model that is not in the tables: unknown is not free. */
  priceOf(model: string): Price | undefined;
  /** In dollars: as logged, or by the tables; `undefined` where neither is known, or where no tokens were reported. */
  costOf(spent: Spent, model: string | undefined): number | undefined;
}

/** What was used, as far as it is known. */
export interface Spent extends Tokens {
  /** In dollars, as logged. */
  readonly cost?: number;
  /** The parts of it whose model is known. The rest belongs to the model of the session. */
  readonly models?: readonly ModelTokens[] | undefined;
}

/** A table of your own. `date` applies to the models without `asOf`. */
export interface OwnPrices {
  readonly date?: string;
  readonly models?: { readonly [model: string]: Price & { readonly asOf?: string } };
}

/** The table of this package, and a table of your own that has precedence over it. */
export function createPrices(own: OwnPrices = {}): Prices {
  const ours: [string, DatedOrNot][] = Object.entries(priceTable.models);
  const theirs = Object.entries(own.models ?? {}).map(([name, price]): [string, DatedOrNot] => [
    name,
    own.date === undefined ? price : { asOf: own.date, ...price },
  ]);
  const tables = [theirs, ours].map(longestFirst);

  const days = [priceTable.date, ...theirs.map(([, { asOf }]) => asOf)].filter((day) => day !== undefined);

  function entryOf(model: string) {
    const names = namesOf(model);
    for (const table of tables)
      for (const name of names) {
        const known = table.find(([listed]) => isSame(name, listed));
        if (known !== undefined) return known[1];
      }
    return undefined;
  }

  return {
    date: days.sort().at(-1)!,
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

type DatedOrNot = Price & { readonly asOf?: string };

/** `gpt-5-mini` is tried before `gpt-5`. */
function longestFirst(models: readonly [string, DatedOrNot][]): readonly [string, DatedOrNot][] {
  return models
    .map(([name, price]): [string, DatedOrNot] => [plain(name), price])
    .sort(([a], [b]) => b.length - a.length);
}

/** Only this many parts at the end of a name are tried. */
const mostParts = 8;

/**
 * The name of a model, and the name without the prefixes of routers and clouds, from the longest to the shortest:
 * `openrouter/anthropic/`, `us.anthropic.`, the address of an AWS profile.
 */
function namesOf(model: string): string[] {
  const parts = model.split('/').slice(-mostParts);
  const names = parts.map((_, k) => parts.slice(k).join('/'));
  const bare = parts.at(-1)!.toLowerCase();
  const cloud = bare.lastIndexOf('anthropic.');
  return [...names, ...(cloud < 0 ? [] : [bare.slice(cloud + 'anthropic.'.length)])].map(plain);
}

/** Some write `claude-sonnet-4.5` and others `claude-sonnet-4-5`. */
function plain(name: string): string {
  return name.trim().toLowerCase().replaceAll('.', '-');
}

/** Whether a name is a listed one with a suffix that does not change the model: a date, "latest", "preview". A number does. */
function isSame(name: string, listed: string): boolean {
  return name.startsWith(listed) && variant.test(name.slice(listed.length));
}

const variant =
  /^(?:[-@](?:\d{8}|\d{4}-\d\d-\d\d|latest|00\d|(?:preview|exp)(?:-\d\d-\d\d|-\d\d-\d{4})?|customtools|thinking|xhigh|high|medium|low|minimal|v\d)|:\d|:thinking|:beta|\[1m\])*$/;
