import type { Json } from 'loopfuse';
import { nestsTooDeeply } from './nesting.js';

/** Parses a text that is an object or a list; undefined if it is anything else or not valid JSON. */
export function parseDocument(text: string): Json | undefined {
  if (nestsTooDeeply(text)) return undefined;
  try {
    const value = JSON.parse(text) as Json;
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
