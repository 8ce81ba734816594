import fc from 'fast-check';
import type { Json } from 'loopfuse';
import { describe, expect, it } from 'vitest';
import type { JsonSchema } from '../turn.js';
import { validValue } from './valid-value.js';

const { schema } = fc.letrec<{ schema: JsonSchema }>((tie) => ({
  schema: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.record({ type: fc.constant('string') }),
    fc.record({ type: fc.constant('string'), minLength: fc.nat(20) }),
    fc.record({ type: fc.constant('string'), enum: fc.array(fc.string(), { minLength: 1 }) }),
    fc.record({ type: fc.constant('boolean') }),
    fc.record({ type: fc.constantFrom('integer', 'number'), minimum: fc.integer() }),
    fc.record({ type: fc.constantFrom('integer', 'number'), exclusiveMinimum: fc.integer() }),
    fc.record({ type: fc.constant('integer'), multipleOf: fc.integer({ min: 1, max: 50 }) }),
    fc.record({ type: fc.constant(['null', 'string']) }),
    fc.record({ const: fc.string() }),
    fc.record({ anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ type: fc.constant('array'), items: tie('schema'), minItems: fc.nat(3) }),
    fc
      .dictionary(fc.string({ minLength: 1 }), tie('schema'), { maxKeys: 4, noNullPrototype: true })
      .chain((properties) =>
        fc.record({
          type: fc.constant('object'),
          properties: fc.constant(properties),
          required: fc.subarray(Object.keys(properties)),
        }),
      ),
  ) as fc.Arbitrary<JsonSchema>,
}));

/** A small checker of the keywords used above. */
function fits(value: Json, against: JsonSchema): boolean {
  const { const: only, enum: some, anyOf, type, properties = {}, required = [], items = {} } = against;
  if (only !== undefined) return value === only;
  if (Array.isArray(anyOf)) return anyOf.some((one) => fits(value, one as JsonSchema));
  if (Array.isArray(some)) return some.includes(value);
  const types = Array.isArray(type) ? type : [type];
  return types.some((one) => {
    if (one === 'string') return typeof value === 'string' && value.length >= Number(against.minLength ?? 0);
    if (one === 'boolean') return typeof value === 'boolean';
    if (one === 'null') return value === null;
    if (one === 'array')
      return (
        Array.isArray(value) &&
        value.length >= Number(against.minItems) &&
        value.every((item) => fits(item, items as JsonSchema))
      );
    if (one === 'object') {
      const fields = value as Record<string, Json>;
      const known = properties as Record<string, JsonSchema>;
      return (
        typeof value === 'object' &&
        (required as string[]).every((key) => Object.hasOwn(fields, key)) &&
        Object.keys(fields).every((key) => fits(fields[key]!, known[key]!))
      );
    }
    if (typeof value !== 'number' || (one === 'integer' && !Number.isInteger(value))) return false;
    const { minimum = -Infinity, exclusiveMinimum = -Infinity, multipleOf = 0 } = against as Record<string, number>;
    return value >= minimum && value > exclusiveMinimum && (multipleOf === 0 || value % multipleOf === 0);
  });
}

describe('validValue', () => {
  it('is a value that the schema takes', () => {
    fc.assert(
      fc.property(schema, (any) => {
        expect(fits(validValue(any), any)).toBe(true);
      }),
    );
  });

  it('has some value for every JSON that claims to be a schema', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (any) => {
        expect(JSON.stringify(validValue(any as JsonSchema))).toBeTypeOf('string');
      }),
    );
  });

  it('comes to an end with a schema that contains itself', () => {
    const tree: JsonSchema = { type: 'object', properties: { next: { $ref: '#' } }, required: ['next'] };
    expect(JSON.stringify(validValue(tree)).length).toBeLessThan(200);
  });

  it('follows references and takes what the filler knows', () => {
    const referring: JsonSchema = {
      type: 'object',
      properties: { file: { $ref: '#/$defs/path' }, limit: { type: 'integer' } },
      required: ['file'],
      $defs: { path: { type: 'string', enum: ['a.txt', 'b.txt'] } },
    };
    expect(validValue(referring)).toEqual({ file: 'a.txt' });
    expect(validValue(referring, (name) => (name === 'limit' ? 5 : undefined))).toEqual({ file: 'a.txt', limit: 5 });
  });
});
