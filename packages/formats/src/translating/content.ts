import type { Json } from 'loopfuse';
import { isObject, list, obj, str } from './json.js';

/**
 * The content of a message, as text if it is text. Content is a string or a list of blocks. Pictures and files become a
 * short mark that depends on their data, so that two screenshots are distinguished.
 */
export function contentOf(content: Json | undefined): Json {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return isObject(content) ? (textOf(content) ?? content) : (content ?? '');
  const texts: string[] = [];
  for (const block of content as readonly Json[]) {
    const text = typeof block === 'string' ? block : textOf(block);
    if (text === undefined) return content;
    texts.push(text);
  }
  return texts.join('\n');
}

/** The visible text of a message's content; everything else is left out. */
export function wordsOf(content: Json | undefined): string {
  if (typeof content === 'string') return content;
  if (isObject(content)) return str(content.text) ?? '';
  const texts: string[] = [];
  for (const block of list(content)) {
    const text = typeof block === 'string' ? block : str(obj(block).text);
    if (text !== undefined) texts.push(text);
  }
  return texts.join('\n');
}

function textOf(block: Json): string | undefined {
  const { type, text, source, image_url: url, data, mimeType, inlineData } = obj(block);
  if (typeof text === 'string') return text;
  if (type === 'image' || type === 'document') return mark(type, obj(source).data ?? data ?? obj(source).url);
  if (type === 'image_url' || type === 'input_image') return mark('image', obj(url).url ?? url);
  if (inlineData !== undefined) return mark(str(obj(inlineData).mimeType) ?? 'data', obj(inlineData).data);
  if (type === 'audio' || typeof mimeType === 'string') return mark(str(mimeType) ?? 'audio', data);
  return undefined;
}

function mark(what: string, data: Json | undefined): string {
  const text = typeof data === 'string' ? data : '';
  let hash = 0;
  for (let at = 0; at < text.length; at += 1 + (text.length >> 12))
    hash = (Math.imul(hash, 31) + text.charCodeAt(at)) | 0;
  return `[${what} ${text.length} ${(hash >>> 0).toString(36)}]`;
}
