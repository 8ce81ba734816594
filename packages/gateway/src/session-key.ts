import { createHash } from 'node:crypto';
import { type RequestView, sessionNamed } from '@loopfuse/wire';
import { sessionHeader } from './headers.js';
import type { KeptAnswers } from './kept-answers.js';

/** What a request's session is called, and the key it is kept under. */
export interface SessionKey {
  readonly key: string;
  /** For people. */
  readonly name: string;
  /** Whether the client names its session, or it is known only by what opens it. */
  readonly named: boolean;
}

/**
 * The session of a request: named by a header of ours, by the agent, or, where nobody names it, by the
 * answer it goes on from, where the provider keeps the history, or by who asks what: the credentials, the client and the
 * first message of the user. Two callers who use the same name with different
 * credentials do not share a session. No credential can be read out of the key.
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
    // An answer that is not known here may be any conversation's, so that it is one of its own.
    const key = kept.find(keptId(headers, view.follows))?.session ?? hashed(['follows', who, view.follows]);
    return { key, name: `opening-${key.slice(0, 8)}`, named: true };
  }
  if (named !== '') return { key: hashed(['named', who, named]), name: named.slice(0, 200), named: true };
  const first = view.messages.find(({ role }) => role === 'user')?.text ?? '';
  const key = hashed(['opening', who, headers.get('user-agent') ?? '', first]);
  return { key, name: `opening-${key.slice(0, 8)}`, named: false };
}

/** What an answer is kept by: one of other credentials cannot be gone on from. */
export function keptId(headers: Headers, id: string): string {
  return hashed(['answer', credentialsOf(headers), id]);
}

/** The agent as it names itself. */
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
