/** "$0.0042", "$1.27": cents are enough for dollars, and too coarse for less. */
export function dollars(cost: number | undefined): string {
  if (cost === undefined) return 'unknown';
  if (cost > 0 && cost < 0.0001) return '<$0.0001';
  return `$${cost.toFixed(cost < 0.1 ? 4 : 2)}`;
}

/** "0.4", "12": tenths below ten. */
export function inMinutes(minutes: number | undefined): string {
  if (minutes === undefined) return 'unknown';
  if (minutes > 0 && minutes < 0.05) return '<0.1';
  return minutes < 9.95 ? minutes.toFixed(1) : String(Math.round(minutes));
}

/** "2026-01-31" in this time zone. */
export function onDay(at: number | undefined): string {
  if (at === undefined || !Number.isFinite(new Date(at).getTime())) return 'unknown';
  const date = new Date(at);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** "14:05:09" in this time zone. */
export function atTime(at: number): string {
  const date = new Date(at);
  return Number.isFinite(date.getTime()) ? date.toTimeString().slice(0, 8) : 'unknown';
}
