/**
 * Units of 16 bits as a string that survives JSON: text stays text where that is shorter, zeros are counted, the rest
 * becomes base 64.
 */
export function packUnits(units: Uint16Array): string {
  if (isZero(units)) return `z${units.length}`;
  const text = plain(units);
  if (text !== undefined) return `t${text}`;
  let packed = 'b';
  for (let k = 0; k < units.length; k += 3) {
    const a = units[k]!;
    const b = units[k + 1] ?? 0;
    const c = units[k + 2] ?? 0;
    const high = (a << 8) | (b >>> 8);
    const low = ((b & 0xff) << 16) | c;
    packed += digit(high >>> 18) + digit(high >>> 12) + digit(high >>> 6) + digit(high);
    packed += digit(low >>> 18) + digit(low >>> 12) + digit(low >>> 6) + digit(low);
  }
  const spare = (3 - (units.length % 3)) % 3;
  return spare === 0 ? packed : packed.slice(0, packed.length - unitsToDigits(spare));
}

/** The units that `packUnits` was given. Throws a `TypeError` on a string that it did not make. */
export function unpackUnits(packed: string): Uint16Array {
  if (packed[0] === 't') {
    const units = new Uint16Array(packed.length - 1);
    for (let k = 0; k < units.length; k++) units[k] = packed.charCodeAt(k + 1);
    return units;
  }
  if (packed[0] === 'z') {
    const length = Number(packed.slice(1));
    if (!Number.isSafeInteger(length) || length < 0 || length > mostZeros)
      throw new TypeError('it is not a packed list of units');
    return new Uint16Array(length);
  }
  const digits = packed.length - 1;
  const spare = [0, undefined, undefined, 2, undefined, undefined, 1, undefined][digits % 8];
  if (packed[0] !== 'b' || spare === undefined) throw new TypeError('it is not a packed list of units');
  const units = new Uint16Array(((digits + unitsToDigits(spare)) / 8) * 3);
  for (let k = 0; k * 8 < digits; k++) {
    const high = group(packed, 1 + k * 8);
    const low = group(packed, 5 + k * 8);
    units[k * 3] = high >>> 8;
    units[k * 3 + 1] = ((high & 0xff) << 8) | (low >>> 16);
    units[k * 3 + 2] = low & 0xffff;
  }
  return units.subarray(0, units.length - spare);
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const values = new Int8Array(128).fill(-1);
for (let k = 0; k < 64; k++) values[alphabet.charCodeAt(k)] = k;

/** 16 of 48 bits need the last two of eight digits and a third of the one before; 32 need five. */
function unitsToDigits(spare: number): number {
  return spare === 0 ? 0 : spare === 1 ? 2 : 5;
}

function digit(bits: number): string {
  return alphabet[bits & 63]!;
}

function group(packed: string, from: number): number {
  let bits = 0;
  for (let k = from; k < from + 4; k++) {
    const value = k < packed.length ? (values[packed.charCodeAt(k)] ?? -1) : 0;
    if (value < 0) throw new TypeError('it is not a packed list of units');
    bits = (bits << 6) | value;
  }
  return bits;
}

/** More than anything here holds, and little enough to be made for a broken snapshot. */
const mostZeros = 1 << 20;

function isZero(units: Uint16Array): boolean {
  for (let k = 0; k < units.length; k++) if (units[k] !== 0) return false;
  return units.length <= mostZeros;
}

/** The units as text, unless JSON would need more bytes for it than base 64 does. */
function plain(units: Uint16Array): string | undefined {
  let bytes = 0;
  let text = '';
  for (const unit of units) {
    bytes += cost(unit);
    text += String.fromCharCode(unit);
  }
  return bytes * 3 <= units.length * 8 ? text : undefined;
}

function cost(unit: number): number {
  if (unit === 10 || unit === 13 || unit === 9 || unit === 34 || unit === 92) return 2;
  if (unit < 32 || (unit >= 0xd800 && unit <= 0xdfff)) return 6;
  return unit < 0x80 ? 1 : unit < 0x800 ? 2 : 3;
}
