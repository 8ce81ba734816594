import { isObject, quote } from '@loopfuse/wire';

/** What is wrong with a JSON schema at `at`, by the rules of every provider. */
export function schemaProblem(at: string, schema: unknown): string | undefined {
  if (!isObject(schema)) return `${at}: must be a JSON schema object, got ${quote(schema)}`;
  const { type, required, properties } = schema;
  if (required !== undefined && !(Array.isArray(required) && required.every((name) => typeof name === 'string')))
    return `${at}.required: must be a list of names`;
  if (properties !== undefined && !isObject(properties)) return `${at}.properties: must be an object`;
  if (type !== undefined && typeof type !== 'string' && !Array.isArray(type))
    return `${at}.type: must be the name of a type, got ${quote(type)}`;
  return undefined;
}
