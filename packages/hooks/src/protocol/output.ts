import type { Json } from 'loopfuse';
import { fieldsOf } from './fields.js';

/**
 * The result of a tool, as its text if there is one: agents wrap results in their own records, some fields of which
 * (times, ids) differ from call to call though the result is the same.
 */
export function outputOf(response: Json | undefined): Json {
  if (response === undefined || response === null) return '';
  if (typeof response !== 'object') return response;
  if (Array.isArray(response)) return joined(response) ?? response;
  const { stdout, stderr, output, file, llmContent, content, textResultForLlm, error } = fieldsOf(response);
  if (typeof stdout === 'string' || typeof stderr === 'string')
    return [stdout, stderr].filter((text) => typeof text === 'string' && text !== '').join('\n');
  const inner = textResultForLlm ?? llmContent ?? fieldsOf(file).content ?? output ?? content ?? error;
  if (typeof inner === 'string') return inner;
  if (Array.isArray(inner)) return joined(inner) ?? inner;
  return typeof fieldsOf(inner).text === 'string' ? fieldsOf(inner).text! : response;
}

/** The texts of content blocks; undefined if other blocks are among them. */
function joined(blocks: readonly Json[]): string | undefined {
  const texts: string[] = [];
  for (const block of blocks) {
    const text = typeof block === 'string' ? block : fieldsOf(block).text;
    if (typeof text !== 'string') return undefined;
    texts.push(text);
  }
  return texts.join('\n');
}
