import { grouped } from 'loopfuse/words';

export { counted, dollars, grouped, short } from 'loopfuse/words';

/** "0.4 min", "12 min", "3.5 h". */
export function duration(minutes: number | undefined): string {
  if (minutes === undefined) return 'unknown';
  if (minutes > 0 && minutes < 0.05) return '<0.1 min';
  if (minutes < 9.95) return `${minutes.toFixed(1)} min`;
  if (minutes < 120) return `${Math.round(minutes)} min`;
  return minutes < 6000 ? `${(minutes / 60).toFixed(1)} h` : `${grouped(minutes / 60)} h`;
}

/** "2026-01-31" in the reader's time zone. */
export function dayOf(at: number): string {
  const date = new Date(at);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** "31 Jan 2026" */
export function dayInWords(at: number): string {
  return new Date(at).toLocaleDateString('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });
}

/** "31 Jan 2026, 14:05" */
export function momentInWords(at: number): string {
  return `${dayInWords(at)}, ${new Date(at).toTimeString().slice(0, 5)}`;
}

/** "14:05:09" */
export function timeOf(at: number): string {
  return new Date(at).toTimeString().slice(0, 8);
}

/**
 * Text from a session with invisible characters shown: control characters, direction marks and characters without width by their
 * code, halves of surrogate pairs by a replacement. Line ends and tabs stay.
 */
export function visible(text: string): string {
  return text
    .replace(/\r\n/g, '\n')
    .replace(
      /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffc\ufffe\uffff]/g,
      (character) => `⟨${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}⟩`,
    )
    .replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '\ufffd');
}

/** The same on one line. */
export function oneLine(text: string): string {
  return visible(text.replace(/\s+/g, ' ').trim());
}

/** The last part of a path. */
export function baseName(path: string): string {
  return (
    path
      .replaceAll('\\', '/')
      .split('/')
      .findLast((part) => part !== '') ?? path
  );
}

/** "16 %", "under 1 %" */
export function percent(share: number): string {
  return share > 0 && share < 0.01 ? 'under 1 %' : `${Math.round(share * 100)} %`;
}
