export { dollars } from 'loopfuse/words';

/** "0.4 min", "12 min", "3.5 h", "2.1 days": a duration in a suitable unit. */
export function inTime(minutes: number | undefined): string {
  if (minutes === undefined) return 'unknown';
  if (minutes > 0 && minutes < 0.05) return '<0.1 min';
  if (minutes < 59.5) return `${tenths(minutes)} min`;
  const hours = minutes / 60;
  return hours < 48 ? `${tenths(hours)} h` : `${tenths(hours / 24)} days`;
}

function tenths(value: number): string {
  return value < 9.95 ? value.toFixed(1) : String(Math.round(value));
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
