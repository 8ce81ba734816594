import { InvalidArgumentError } from 'commander';

const units: { readonly [unit: string]: number } = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000 };

/** "7d", "12h", "2w" ago, or a day such as 2026-01-31 in this time zone; in milliseconds since the epoch. */
export function parseSince(text: string, now = Date.now()): number {
  const [, count, unit] = /^(\d{1,5})([mhdw])$/.exec(text) ?? [];
  if (count !== undefined) return now - Number(count) * units[unit!]!;
  const day = /^\d{4}-\d{2}-\d{2}$/.test(text) ? new Date(`${text}T00:00:00`) : new Date(Number.NaN);
  const instant = /^\d{4}-\d{2}-\d{2}T/.test(text) ? new Date(text) : day;
  if (Number.isFinite(instant.getTime())) return instant.getTime();
  throw new InvalidArgumentError('Expected a time back, for example 12h, 7d or 2w, or a day, for example 2026-01-31.');
}
