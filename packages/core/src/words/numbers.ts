/** 1234567 as "1,234,567". Not with `toLocaleString`, whose first call loads tables for some 25 ms. */
export function grouped(value: number): string {
  const rounded = Math.round(value);
  if (!(Math.abs(rounded) < 1e21)) return String(rounded); // it has an exponent, or is not a number
  let rest = String(Math.abs(rounded));
  let groups = '';
  for (; rest.length > 3; rest = rest.slice(0, -3)) groups = `,${rest.slice(-3)}${groups}`;
  return `${rounded < 0 ? '-' : ''}${rest}${groups}`;
}

/** 41234 as "41.2k", 1234567 as "1.2M": a column has room for three digits. */
export function short(value: number): string {
  for (const [size, letter] of [
    [1e9, 'G'],
    [1e6, 'M'],
    [1e3, 'k'],
  ] as const) {
    if (!(value >= size * 0.9995)) continue;
    const scaled = value / size;
    return `${scaled < 99.95 ? scaled.toFixed(1) : Math.round(scaled)}${letter}`;
  }
  return String(Math.round(value));
}

/** "1 call", "3 calls". */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${grouped(count)} ${count === 1 ? noun : plural}`;
}

/** "$0.0042", "$1.27", "$1,204": cents are precise enough for dollars, but not for less. */
export function dollars(cost: number | undefined): string {
  if (cost === undefined) return 'unknown';
  if (cost > 0 && cost < 0.0001) return '<$0.0001';
  if (cost >= 1000) return `$${grouped(cost)}`;
  return `$${cost.toFixed(cost > 0 && cost < 0.1 ? 4 : 2)}`;
}
