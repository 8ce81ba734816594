import type { Json } from 'loopfuse';

export type Fields = { readonly [key: string]: Json | undefined };

/** The fields of an object; no fields for anything else. */
export function fieldsOf(value: Json | undefined): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

/** The value if it is a string and not empty. */
export function textOf(value: Json | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
