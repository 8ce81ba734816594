const units = [
  [60, 'minute', 60],
  [3600, 'hour', 24],
  [86_400, 'day', 7],
] as const;

/** "just now", "5 minutes ago", "yesterday", and the date for what is older than a week. */
export function when(iso: string, now: number): string {
  const at = Date.parse(iso);
  if (Number.isNaN(at)) return iso.slice(0, 16);
  const seconds = Math.max(0, (now - at) / 1000);
  if (seconds < 60) return 'just now';
  for (const [size, name, most] of units) {
    const count = Math.floor(seconds / size);
    if (count >= most) continue;
    if (name === 'day' && count === 1) return 'yesterday';
    return `${count} ${name}${count === 1 ? '' : 's'} ago`;
  }
  return moment(iso).slice(0, 10);
}

/** "2026-10-01 11:00" in the reader's time zone. */
export function moment(iso: string): string {
  const at = new Date(iso);
  if (Number.isNaN(at.getTime())) return iso.slice(0, 16);
  const local = new Date(at.getTime() - at.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16).replace('T', ' ');
}
