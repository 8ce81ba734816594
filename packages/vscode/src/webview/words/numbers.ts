/** 1234567 as "1,234,567". */
export function grouped(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}

/** 41234 as "41.2k", 1234567 as "1.2M". */
export function short(value: number): string {
  if (!(value >= 999.5)) return String(Math.round(value));
  const [size, letter] = value < 999_500 ? [1e3, 'k'] : value < 999_500_000 ? [1e6, 'M'] : [1e9, 'G'];
  const scaled = value / size;
  return `${scaled < 99.95 ? scaled.toFixed(1) : Math.round(scaled)}${letter}`;
}

/** "1 call", "3 calls". */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${grouped(count)} ${count === 1 ? noun : plural}`;
}

/** "$0.0042", "$1.27": cents are enough for dollars, and too coarse for less. */
export function dollars(cost: number): string {
  return `$${cost.toFixed(cost < 0.1 ? 4 : 2)}`;
}
