/**
 * Parts of a text that change by themselves: durations, clocks, counters, ids. They are found in its bytes; the byte
 * after the last one must not be a byte of UTF-8.
 */

/**
 * The end of the volatile part that begins with the number from `at` to `end`; `at` itself when the number is not
 * volatile. `counted`: the number follows a word for a counter.
 */
export function volatileEnd(bytes: Uint8Array, at: number, end: number, counted: boolean): number {
  const next = bytes[end]!;
  if (next === 45 && end - at === 4 && isStamp(bytes, end)) return clockEnd(bytes, end + 9, bytes[end + 9]!); // 2026-01-31T12:34:56
  if (next === 58 && end - at <= 2 && isDigit(bytes[end + 1]!) && (bytes[end + 3] === 58 || isAfterDate(bytes, at)))
    return clockEnd(bytes, end, 58); // 12:34:56, or 2026-01-31 12:34
  if (next === 45 && end - at === 2 && bytes[end + 3] === 45 && isAfterDate(bytes, at)) return clockEnd(bytes, end, 45); // T12-34-56
  const hasFraction = (next === 46 || next === 44) && isDigit(bytes[end + 1]!); // 0.05
  const isEpoch = hasFraction && end - at === 10 && bytes[at] === 49; // seconds since 1970
  const isLong = end - at >= 12 || isEpoch;
  if (hasFraction) end = numberEnd(bytes, end + 1);
  if (isLong) return end;
  if (counted) return tokenEnd(bytes, end);
  return isDuration(bytes, end) ? end : at;
}

/** The end of the id after a colon and spaces; the colon itself when no id with a digit follows. */
export function idEnd(bytes: Uint8Array, colon: number): number {
  let start = colon + 1;
  while (bytes[start] === 32) start++;
  const end = tokenEnd(bytes, start);
  for (let k = start; k < end; k++) if (isDigit(bytes[k]!)) return end;
  return colon;
}

const isDigit = (byte: number): boolean => byte >= 48 && byte <= 57;
const isLetter = (byte: number): boolean => (byte | 32) >= 97 && (byte | 32) <= 122;

function numberEnd(bytes: Uint8Array, at: number): number {
  while (isDigit(bytes[at]!)) at++;
  return at;
}

function clockEnd(bytes: Uint8Array, at: number, between: number): number {
  while (isDigit(bytes[at]!) || bytes[at] === between || bytes[at] === 46) at++;
  return at;
}

/** Whether a year is followed by the rest of a date and an hour: `-01-31T12:`, also `-01-31_12-` or with a space. */
function isStamp(bytes: Uint8Array, at: number): boolean {
  for (let k = 1; k < 9; k++) if (k % 3 !== 0 && !isDigit(bytes[at + k]!)) return false;
  const between = bytes[at + 9];
  return bytes[at + 3] === 45 && isSpace(bytes[at + 6]!) && (between === 58 || between === 45);
}

const isSpace = (byte: number): boolean => byte === 32 || byte === 84 || byte === 95;

/** Whether a date stands before a number: `-31 12`, `-31T12`, `-31_12`. */
function isAfterDate(bytes: Uint8Array, at: number): boolean {
  return isSpace(bytes[at - 1]!) && isDigit(bytes[at - 2]!) && bytes[at - 4] === 45;
}

function tokenEnd(bytes: Uint8Array, at: number): number {
  while (isDigit(bytes[at]!) || isLetter(bytes[at]!)) at++;
  return at;
}

/** Whether a unit of time follows a number. After a space it needs two letters: 6m or 6 min, but not 6 m. */
function isDuration(bytes: Uint8Array, at: number): boolean {
  const apart = bytes[at] === 32;
  if (apart) at++;
  if (unitStarts[bytes[at]!] === 0) return false;
  let end = at;
  let unit = 0;
  while (end < at + longestUnit && (isLetter(bytes[end]!) || isMicro(bytes, end))) unit = addByte(unit, bytes[end++]!);
  return end > at + (apart ? 1 : 0) && units.has(unit);
}

/** Either byte of µ. */
function isMicro(bytes: Uint8Array, at: number): boolean {
  return (bytes[at] === 0xc2 && bytes[at + 1] === 0xb5) || (bytes[at] === 0xb5 && bytes[at - 1] === 0xc2);
}

const addByte = (unit: number, byte: number): number => Math.imul(unit ^ byte, 0x01000193);
const longestUnit = 8;
const units = new Set<number>();
const unitStarts = new Uint8Array(256);
const micro = [0xc2, 0xb5];
for (const name of 's m h d ms ns us sec secs second seconds min mins minute minutes hour hours'.split(' '))
  addUnit(Array.from(name, (letter) => letter.charCodeAt(0)));
addUnit([...micro, 115]);

function addUnit(bytes: readonly number[]): void {
  units.add(bytes.reduce(addByte, 0));
  unitStarts[bytes[0]!] = 1;
}
