import type { Protocol } from './conversation.js';

/** An address at which a model is asked for its next turn. */
export interface AskRoute {
  readonly protocol: Protocol;
  /** The model, if the protocol names it in the address. */
  readonly model?: string;
  readonly framing?: Framing;
}

/** How an answer is framed, if the address says so and not the body. */
export type Framing = 'events' | 'array' | 'whole';

/**
 * What a POST to this address asks for; undefined if it does not ask a model for a turn. The path may begin with
 * anything, and slashes may follow its end.
 */
export function askRoute(address: string, search = ''): AskRoute | undefined {
  const path = withoutEndSlashes(address);
  if (path.endsWith('/chat/completions')) return { protocol: 'openai-chat' };
  if (path.endsWith('/responses')) return { protocol: 'openai-responses' };
  // In OpenAI's assistants API, this adds a message to a thread.
  if (path.endsWith('/messages'))
    return /\/threads\/[^/]+\/messages$/.test(path) ? undefined : { protocol: 'anthropic' };
  const { model, verb } = modelAddress(path) ?? {};
  if (model === undefined) return undefined;
  // Claude on Google's Vertex: the body has Anthropic's format, and says itself whether it asks for a stream.
  if (verb === 'rawPredict' || verb === 'streamRawPredict')
    return path.includes('/publishers/anthropic/') ? { protocol: 'anthropic', model } : undefined;
  if (verb === 'generateContent') return { protocol: 'gemini', model, framing: 'whole' };
  if (verb !== 'streamGenerateContent') return undefined;
  const events = new URLSearchParams(search).get('alt') === 'sse';
  return { protocol: 'gemini', model, framing: events ? 'events' : 'array' };
}

function withoutEndSlashes(path: string): string {
  let end = path.length;
  while (path[end - 1] === '/') end--;
  return path.slice(0, end);
}

/** The model and verb of an address such as `/v1beta/models/MODEL:countTokens`. Tuned models have other addresses. */
export function modelAddress(path: string): { readonly model: string; readonly verb: string } | undefined {
  const colon = path.lastIndexOf(':');
  const slash = path.lastIndexOf('/', colon);
  const verb = path.slice(colon + 1);
  const named = path.slice(slash + 1, colon);
  if (colon < 0 || named === '' || !/^\w+$/.test(verb)) return undefined;
  if (!/\/(?:models|tunedModels|endpoints)$/.test(path.slice(0, slash))) return undefined;
  return { model: decoded(named), verb };
}

export function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
