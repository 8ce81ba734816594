import { quoted } from './shape.js';

/** Throws unless `value` is an integer of at least `least`. The error quotes the bad value. */
export function requireInteger(name: string, value: number, least: number): void {
  if (!Number.isInteger(value) || value < least)
    throw new RangeError(`${name} must be an integer of at least ${least}, got ${quoted(value)}`);
}

/** Throws unless `value` is a number from `least` to `most`. */
export function requireNumber(name: string, value: number, least: number, most: number): void {
  if (typeof value !== 'number' || !(value >= least && value <= most))
    throw new RangeError(`${name} must be a number from ${least} to ${most}, got ${quoted(value)}`);
}
