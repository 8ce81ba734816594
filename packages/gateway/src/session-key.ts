import { createHash } from 'node:crypto';
import { type RequestView, sessionNamed } from '@loopfuse/wire';
import { sessionHeader } from './headers.js';
import type { KeptAnswers } from './kept-answers.js';

/** The name of a request's session, and the key under which it is kept. */
export interface SessionKey {
  readonly key: string;
  /** To be shown to users. */
  readonly name: string;
  /** Whether the session has a name; if not, it is known only by its first message. */
  readonly named: boolean;
}

/**
 * The session of a request. It is named by our header, by the agent or by the gateway's `session` option. If nothing
 * names it, it is identified by the answer it goes on from, if the provider keeps the history; else by the credentials,
 * the client and the first message of the user. Two callers that use the same name with different credentials do not
 * share a session. No credential can be read from the key.
 */
export function sessionKey(
  headers: Headers,
  body: unknown,
  view: RequestView,
  fallback: string | undefined,
  kept: Pick<KeptAnswers, 'find'>,
): SessionKey {
  const given = headers.get(sessionHeader) ?? '';
  const named = given || sessionNamed((name) => headers.get(name) ?? undefined, body) || (fallback ?? '');
  const who = credentialsOf(headers);
  if (named === '' && view.follows !== undefined) {
    // An unknown answer may belong to any conversation, so it begins a session of its own.
    const key = kept.find(keptId(headers, view.follows))?.session ?? hashed(['follows', who, view.follows]);
    return { key, name: `opening-${key.slice(0, 8)}`, named: true };
  }
  if (named !== '') return { key: hashed(['named', who, named]), name: named.slice(0, 200), named: true };
  const first = view.messages.find(({ role }) => role === 'user')?.text ?? '';
  const key = hashed(['opening', who, headers.get('user-agent') ?? '', first]);
  return { key, name: `opening-${key.slice(0, 8)}`, named: false };
}

/** The key of a kept answer: a request with other credentials cannot go on from it. */
export function keptId(headers: Headers, id: string): string {
  return hashed(['answer', credentialsOf(headers), id]);
}

/** The name of the agent, from its user-agent header. */
export function agentOf(headers: Headers): string {
  const agent = headers.get('user-agent') ?? '';
  const known = names.find(([mark]) => agent.startsWith(mark));
  return known?.[1] ?? (agent.split(/[/ ]/, 1)[0] || 'unknown').slice(0, 40);
}

const names: readonly (readonly [mark: string, name: string])[] = [
  ['claude-cli', 'claude-code'],
  ['codex', 'codex'],
  ['GeminiCLI', 'gemini-cli'],
  ['QwenCode', 'qwen-code'],
  ['opencode', 'opencode'],
];

function credentialsOf(headers: Headers): string {
  return ['authorization', 'x-api-key', 'x-goog-api-key', 'api-key'].map((name) => headers.get(name) ?? '').join('\n');
}

function hashed(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);
}
