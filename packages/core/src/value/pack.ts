/**
 * Writes units of 16 bits as a string that survives JSON: as text where that is not longer, as a count if all are zero,
 * else in base 41, with three digits for each unit.
 */
export function packUnits(units: Uint16Array): string {
  if (isZero(units)) return `z${units.length}`;
  const text = plain(units);
  if (text !== undefined) return `t${text}`;
  let packed = 'b';
  for (const unit of units)
    packed += String.fromCharCode(zero + ((unit / 1681) | 0), zero + (((unit / 41) | 0) % 41), zero + (unit % 41));
  return packed;
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
    if (!Number.isSafeInteger(length) || length < 0 || length > mostZeros) throw new TypeError(notPacked);
    return new Uint16Array(length);
  }
  const units = new Uint16Array((packed.length - 1) / 3);
  if (packed[0] !== 'b' || packed.length !== 1 + 3 * units.length) throw new TypeError(notPacked);
  for (let k = 0; k < units.length; k++) {
    let unit = 0;
    for (let at = 3 * k + 1; at <= 3 * k + 3; at++) {
      const digit = packed.charCodeAt(at) - zero;
      if (digit < 0 || digit >= 41) throw new TypeError(notPacked);
      unit = unit * 41 + digit;
    }
    units[k] = unit;
  }
  return units;
}

/** The code of the first digit; the other digits follow it. None of them needs an escape in JSON. */
const zero = 48;
const notPacked = 'it is not a packed list of units';

/** More than any list here has, and few enough to be allocated for a broken snapshot. */
const mostZeros = 1 << 20;

function isZero(units: Uint16Array): boolean {
  for (let k = 0; k < units.length; k++) if (units[k] !== 0) return false;
  return units.length <= mostZeros;
}

/** The units as text, unless JSON would need more bytes for it than the digits do. */
function plain(units: Uint16Array): string | undefined {
  let bytes = 0;
  let text = '';
  for (const unit of units) {
    bytes += cost(unit);
    text += String.fromCharCode(unit);
  }
  return bytes <= units.length * 3 ? text : undefined;
}

function cost(unit: number): number {
  if (unit === 10 || unit === 13 || unit === 9 || unit === 34 || unit === 92) return 2;
  if (unit < 32 || (unit >= 0xd800 && unit <= 0xdfff)) return 6;
  return unit < 0x80 ? 1 : unit < 0x800 ? 2 : 3;
}
