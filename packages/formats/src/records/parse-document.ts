import type { Json } from 'loopfuse';
import { nestsTooDeeply } from './nesting.js';

/** The object or list that a text is; undefined where it is none, or not to its end. */
export function parseDocument(text: string): Json | undefined {
  if (nestsTooDeeply(text)) return undefined;
  try {
    const value = JSON.parse(text) as Json;
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
