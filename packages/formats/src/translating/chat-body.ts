import type { Json } from 'loopfuse';
import { wordsOf } from './content.js';
import { isWrapped } from './injected.js';
import { list, type Obj, str } from './json.js';

export function isThought({ type, thought }: Obj): boolean {
  return type === 'thinking' || type === 'think' || type === 'reasoning' || thought === true;
}

export function thoughtOf(block: Obj): string {
  return str(block.thinking) ?? str(block.think) ?? str(block.text) ?? str(block.reasoning) ?? '';
}

/** A message may have its text twice: as a whole, and in parts that contain more. */
export function bodyOf({ content, parts, text }: Obj): Json | undefined {
  if (list(parts).length > 0 && !Array.isArray(content)) return parts;
  return content ?? parts ?? text;
}

/** Text next to results is the user's, unless it is wrapped in a tag: then the agent added it. */
export function wordsBesideResults(content: Json | undefined): string {
  return wordsOf(list(content).filter((block) => !isWrapped(wordsOf(block))));
}
