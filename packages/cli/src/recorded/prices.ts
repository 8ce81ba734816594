import { readFileSync } from 'node:fs';
import { createPrices, type OwnPrices, type Price, type Prices } from '@loopfuse/prices';
import { UsageError } from '../usage-error.js';

export type { Prices } from '@loopfuse/prices';

/** The built-in prices. Those in `file`, a table of the same shape, override them. Throws `UsageError` if the file is not such a table. */
export function loadPrices(file?: string): Prices {
  return createPrices(file === undefined ? undefined : tableIn(file));
}

function tableIn(file: string): OwnPrices {
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
    const {
      input,
      output,
      cached = input,
      written = input,
      writtenLong = written,
    } = (value ?? {}) as {
      [key in keyof Price]?: unknown;
    };
    if (!isPrice(input) || !isPrice(output) || !isPrice(cached) || !isPrice(written) || !isPrice(writtenLong))
      throw new UsageError(
        `${JSON.stringify(file)}: the price of ${JSON.stringify(name)} must have numbers for input and output.\n${shape}`,
      );
    checked[name] = { input, output, cached, written, writtenLong };
  }
  return { ...(typeof date === 'string' ? { date } : {}), models: checked };
}

function isPrice(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}
