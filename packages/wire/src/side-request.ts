import type { RequestView } from './conversation.js';

/**
 * Whether an agent asks on the side, for a title, a topic, a summary or JSON: a request that offers no tools and wants
 * JSON, or says that it wants one of these. What is said there is no evidence about the work.
 */
export function isSideRequest({
  tools,
  schema,
  system,
  messages,
}: Pick<RequestView, 'tools' | 'schema' | 'system' | 'messages'>): boolean {
  if (tools.length > 0) return false;
  if (schema !== undefined) return true;
  return isAbout(system) || isAbout(messages.at(-1)?.text ?? '');
}

function isAbout(text: string): boolean {
  return /\b(title|topic|summari[sz]e|summary)\b/i.test(text);
}
