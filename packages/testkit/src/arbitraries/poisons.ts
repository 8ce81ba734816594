import fc from 'fast-check';
import type { Json } from 'loopfuse';

/** Places in a JSON value, each with the value to put there; `undefined` removes the place. */
export type Poison = readonly (readonly [place: number, value: Json | undefined])[];

export function poisons(): fc.Arbitrary<Poison> {
  const value = fc.oneof(
    fc.constantFrom<Json | undefined>(undefined, null, -1, 0.5, 7, 1e9, '', 'poison', true, [], {}, [null], {
      length: 3,
    }),
    fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<Json>,
  );
  return fc.array(fc.tuple(fc.nat(), value), { minLength: 1, maxLength: 4 });
}

/** A copy of a JSON value with other values in some places. */
export function poisoned(value: Json, poison: Poison): Json {
  return poison.reduce((healthy: Json, [place, put]) => {
    const places = countPlaces(healthy);
    return replaced(healthy, { left: place % places }, put) ?? null;
  }, value);
}

function countPlaces(value: Json): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce((sum: number, inner: Json) => sum + countPlaces(inner), 1);
}

/** Walks the value in order and counts `left` down. Where it reaches zero, the value is replaced. */
function replaced(value: Json, countdown: { left: number }, put: Json | undefined): Json | undefined {
  if (countdown.left-- === 0) return put;
  if (typeof value !== 'object' || value === null || countdown.left < 0) return value;
  if (Array.isArray(value))
    return value.map((inner: Json) => replaced(inner, countdown, put)).filter((next) => next !== undefined);
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) => {
      const next = replaced(inner, countdown, put);
      return next === undefined ? [] : [[key, next]];
    }),
  );
}
