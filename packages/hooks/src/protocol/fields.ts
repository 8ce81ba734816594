import type { Json } from 'loopfuse';

export type Fields = { readonly [key: string]: Json | undefined };

/** The fields of an object; none of anything else. */
export function fieldsOf(value: Json | undefined): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

/** A string that is not empty. */
export function textOf(value: Json | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
