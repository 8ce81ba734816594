import { fieldsOf, isObject, listOf } from '@loopfuse/wire';
import type { Json } from 'loopfuse';
import type { JsonSchema } from '../turn.js';

/** Returns the value of a property, or `undefined` to leave it to its schema. */
export type Filler = (name: string, schema: JsonSchema) => Json | undefined;

const maxDepth = 8;

/**
 * The smallest valid value of a schema, with the values of `filler`. Optional properties are left out unless the filler
 * has a value for them. Never throws: any schema gets some value; patterns are ignored.
 */
export function validValue(schema: JsonSchema, filler: Filler = () => undefined): Json {
  return valueFor(schema, '', { filler, root: schema, depth: 0 });
}

interface Around {
  readonly filler: Filler;
  readonly root: JsonSchema;
  readonly depth: number;
}

function valueFor(schema: JsonSchema, name: string, around: Around): Json {
  const target = resolved(schema, around.root);
  if (target.const !== undefined) return target.const;
  if (Array.isArray(target.enum) && target.enum.length > 0) return target.enum[0] as Json;
  if (target.default !== undefined) return target.default;
  const [choice] = [...listOf(target.anyOf), ...listOf(target.oneOf)];
  const deeper = { ...around, depth: around.depth + 1 };
  if (isObject(choice) && around.depth < maxDepth) return valueFor(choice as JsonSchema, name, deeper);
  const type = Array.isArray(target.type) ? target.type.find((one) => one !== 'null') : target.type;
  switch (type ?? (target.properties === undefined ? 'string' : 'object')) {
    case 'object':
      return objectOf(target, around);
    case 'array': {
      const items = fieldsOf(target.items) as JsonSchema;
      const length = around.depth < maxDepth ? bounded(target.minItems) : 0;
      return Array.from({ length }, () => valueFor(items, name, deeper));
    }
    case 'number':
    case 'integer':
      return numberOf(target);
    case 'boolean':
      return false;
    case 'null':
      return null;
    default:
      return stringOf(name, target);
  }
}

function objectOf(schema: JsonSchema, around: Around): Json {
  const properties = fieldsOf(schema.properties);
  const required = listOf(schema.required);
  const filled: Record<string, Json> = {};
  for (const key of new Set([...Object.keys(properties), ...required.map(String)])) {
    const inner = resolved(fieldsOf(properties[key]) as JsonSchema, around.root);
    const known = around.filler(key, inner);
    if (known !== undefined) filled[key] = known;
    else if (required.includes(key) && around.depth < maxDepth)
      filled[key] = valueFor(inner, key, { ...around, depth: around.depth + 1 });
  }
  return filled;
}

function numberOf({ type, minimum, exclusiveMinimum, maximum, multipleOf }: JsonSchema): number {
  const whole = type === 'integer' || (Array.isArray(type) && type.includes('integer'));
  const least = typeof exclusiveMinimum === 'number' ? exclusiveMinimum + (whole ? 1 : 0.5) : minimum;
  const value = typeof least === 'number' ? least : Math.min(1, typeof maximum === 'number' ? maximum : 1);
  if (typeof multipleOf === 'number' && multipleOf > 0) return Math.ceil(value / multipleOf) * multipleOf;
  return whole ? Math.ceil(value) : value;
}

function stringOf(name: string, { format, minLength, maxLength }: JsonSchema): string {
  if (format === 'uri' || format === 'url' || /url/i.test(name)) return 'http://127.0.0.1/';
  if (format === 'date-time') return '2025-01-01T00:00:00Z';
  if (format === 'date') return '2025-01-01';
  const word = /path|dir|folder/i.test(name) ? '.' : 'scripted';
  const long = word.padEnd(bounded(minLength), 'x');
  return typeof maxLength === 'number' ? long.slice(0, maxLength) : long;
}

/** Schemas may require much longer values than are useful. */
function bounded(length: unknown): number {
  return typeof length === 'number' && length > 0 ? Math.min(length, 256) : 0;
}

/** Follows references within the schema; the first part of an `allOf` counts for all. */
function resolved(schema: JsonSchema, root: JsonSchema): JsonSchema {
  let target = schema;
  for (let hops = 0; hops < maxDepth; hops++) {
    const [first] = listOf(target.allOf);
    if (typeof target.$ref === 'string' && target.$ref.startsWith('#'))
      target = fieldsOf(
        target.$ref
          .slice(2)
          .split('/')
          .reduce<unknown>((at, key) => fieldsOf(at)[key], root),
      ) as JsonSchema;
    else if (isObject(first) && target.type === undefined) target = first as JsonSchema;
    else break;
  }
  return target;
}
