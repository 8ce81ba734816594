import type { Protocol } from './conversation.js';

/** An address at which a model is asked for its next turn. */
export interface AskRoute {
  readonly protocol: Protocol;
  /** Where the protocol names the model in the address. */
  readonly model?: string;
  readonly framing?: Framing;
}

/** How an answer is framed where the address, not the body, says so. */
export type Framing = 'events' | 'array' | 'whole';

/** What a POST to this address asks for; undefined where it is no question to a model. Anything may come before the known end. */
export function askRoute(path: string, search = ''): AskRoute | undefined {
  if (path.endsWith('/chat/completions')) return { protocol: 'openai-chat' };
  if (path.endsWith('/responses')) return { protocol: 'openai-responses' };
  if (path.endsWith('/messages')) return { protocol: 'anthropic' };
  const { model, verb } = modelAddress(path) ?? {};
  if (model === undefined) return undefined;
  if (verb === 'generateContent') return { protocol: 'gemini', model, framing: 'whole' };
  if (verb !== 'streamGenerateContent') return undefined;
  const events = new URLSearchParams(search).get('alt') === 'sse';
  return { protocol: 'gemini', model, framing: events ? 'events' : 'array' };
}

/** The model and the verb of an address such as `/v1beta/models/MODEL:countTokens`. */
export function modelAddress(path: string): { readonly model: string; readonly verb: string } | undefined {
  const colon = path.lastIndexOf(':');
  const slash = path.lastIndexOf('/', colon);
  const verb = path.slice(colon + 1);
  const named = path.slice(slash + 1, colon);
  if (colon < 0 || named === '' || !/^\w+$/.test(verb) || !path.slice(0, slash).endsWith('/models')) return undefined;
  return { model: decoded(named), verb };
}

export function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
